import { defineWords } from "../../words/language.tsx";

export const bookWords = defineWords(
  {
    title: "Transactions",
    wallets: "Wallets",
    walletText: "A record of what came through each channel. The money itself is in your own accounts.",
    balance: "Balance",
    pending: (sum: string) => `${sum} held`,
    type: "Type",
    types: { payment: "Payment", refund: "Refund", fee: "Fee", adjustment: "Adjustment", reversal: "Reversal", payout: "Payout" },
    reference: "Order",
    external: "Number at the channel",
    exportCsv: "Export CSV",
    emptyTitle: "No transactions yet",
    emptyText: "Every paid order is booked here.",
    when: "Booked",
  },
  {
    title: "账目",
    wallets: "钱包",
    walletText: "各渠道收款的记录。资金在您自己的账户中。",
    balance: "余额",
    pending: (sum) => `挂账 ${sum}`,
    type: "类型",
    types: { payment: "收款", refund: "退款", fee: "手续费", adjustment: "调整", reversal: "冲销", payout: "提现" },
    reference: "订单",
    external: "渠道单号",
    exportCsv: "导出 CSV",
    emptyTitle: "还没有账目",
    emptyText: "每笔已付款的订单都会在这里入账。",
    when: "入账时间",
  },
);
