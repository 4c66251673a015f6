import type { Language } from "#platform/index.ts";
import type { SimulatedOutcome } from "./simulator.ts";

export interface SimulatorWords {
  test: string;
  noMoney(provider: string): string;
  title(provider: string): string;
  state: string;
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
    noMoney: (provider) => `A simulation of ${provider}. No real money.`,
    title: (provider) => `${provider} simulator`,
    state: "Status",
    more: "Other outcomes",
    script: "To choose an outcome from a script, POST outcome=<name> to this address:",
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
    noMoney: (provider) => `${provider} 模拟页面，不会真实扣款`,
    title: (provider) => `${provider} 模拟器`,
    state: "状态",
    more: "其他结果",
    script: "脚本可向以下地址 POST outcome=<名称> 来选择结果：",
    back: "返回商家",
    over: "这笔付款不会再有变化。",
    outcomes: {
      paid: "付款",
      declined: "付款被拒",
      canceled: "取消付款",
      expired: "让付款过期",
      processing: "先确认，稍后出结果",
      late: "过期后才付款",
      silent: "付款，但不发送回调",
      duplicate: "付款，回调发送三次",
      out_of_order: "付款，回调顺序错乱",
      underpaid: "少付",
      overpaid: "多付",
      auto_refunded: "先确认，未入账即自动退回",
      disputed: "对付款提出争议",
      dispute_won: "争议判商家胜",
      dispute_lost: "争议判买家胜",
    },
  },
};
