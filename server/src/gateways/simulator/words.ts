import type { Language } from "#platform/index.ts";
import type { SimulatedOutcome } from "./simulator.ts";

export interface SimulatorWords {
  test: string;
  noMoney: string;
  title(provider: string): string;
  state: string;
  codeOver: string;
  more: string;
  script: string;
  back: string;
  over: string;
  outcomes: Readonly<Record<SimulatedOutcome, string>>;
}

/** The texts of a simulated provider's page, by language. */
export const simulatorWords: Record<Language, SimulatorWords> = {
  en: {
    test: "TEST",
    noMoney: "no real money",
    title: (provider) => `${provider} simulator`,
    state: "Status",
    codeOver: "This code is no longer valid.",
    more: "Other outcomes",
    script: "From a script, POST outcome=<name> to this page's URL. Names:",
    back: "Back to the shop",
    over: "This payment is final.",
    outcomes: {
      paid: "Pay",
      declined: "Decline",
      canceled: "Cancel",
      expired: "Let it expire",
      processing: "Authorize, settle later",
      late: "Let it expire, then pay",
      silent: "Pay, send no callback",
      duplicate: "Pay, send the callback three times",
      out_of_order: "Pay, send callbacks out of order",
      underpaid: "Pay too little",
      overpaid: "Pay too much",
      auto_refunded: "Authorize, refund without capture",
      disputed: "Dispute the payment",
      dispute_won: "Resolve the dispute for the merchant",
      dispute_lost: "Resolve the dispute for the buyer",
    },
  },
  zh: {
    test: "测试",
    noMoney: "不会真实扣款",
    title: (provider) => `${provider.replace(/(?<=[A-Za-z])$/, " ")}模拟页面`,
    state: "状态",
    codeOver: "此收款码已失效。",
    more: "其他结果",
    script: "也可用脚本向本页网址 POST outcome=<名称>。可用名称：",
    back: "返回商家",
    over: "这笔付款不会再有变化。",
    outcomes: {
      paid: "付款",
      declined: "拒绝付款",
      canceled: "取消付款",
      expired: "让付款过期",
      processing: "先授权，稍后入账",
      late: "过期后再付款",
      silent: "付款，但不发送回调",
      duplicate: "付款，回调发送三次",
      out_of_order: "付款，回调顺序错乱",
      underpaid: "少付",
      overpaid: "多付",
      auto_refunded: "授权后未入账，自动退回",
      disputed: "对付款提出争议",
      dispute_won: "争议判商家胜",
      dispute_lost: "争议判买家胜",
    },
  },
};
