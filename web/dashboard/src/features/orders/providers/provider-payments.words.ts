import { defineWords } from "../../../words/language.tsx";

export const providerPaymentWords = defineWords({
  en: {
    title: "Gateway payments",
    demo: "Demo",
    providerId: "Provider's ID",
    transaction: "Provider transaction",
    providerStatus: "Provider status",
    fee: "Provider fee",
    paidAt: "Paid",
    failure: "Failure reason",
    requests: "Requests",
    seeRequests: "View requests to the provider",
    failures: {
      mismatch: "Doesn't match the order (see Exceptions)",
      not_created: "The provider didn't create it",
      outcome_unknown: "The provider never reported the result",
      underpaid: "Underpaid",
    } as Record<string, string>,
  },
  zh: {
    title: "支付渠道付款",
    demo: "演示",
    providerId: "对方编号",
    transaction: "对方交易号",
    providerStatus: "对方状态",
    fee: "渠道手续费",
    paidAt: "付款时间",
    failure: "失败原因",
    requests: "请求记录",
    seeRequests: "查看向支付机构发出的请求",
    failures: {
      mismatch: "付款与订单不符，已列入异常",
      not_created: "支付机构未创建此付款",
      outcome_unknown: "支付机构一直未返回结果",
      underpaid: "付款金额不足",
    },
  },
});
