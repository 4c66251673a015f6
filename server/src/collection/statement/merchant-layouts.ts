import type { Cells, Layout, RowStatus } from "./layout.ts";

/** Bills that the wallets' merchant platforms export; each is identified by its own column names. */

/** WeChat Pay's bill of trades: one row for a payment and one for each of its refunds, both with the payment's number. */
const wechatTrades: Layout = {
  channel: "wechat",
  name: "WeChat Pay (merchant bill)",
  known: ["交易时间", "商户号", "微信订单号", "商户订单号", "交易状态"],
  number: ["微信订单号"],
  amounts: ["订单金额", "应结订单金额", "总金额"],
  times: ["交易时间"],
  payer: ["用户标识"],
  remark: ["商品名称", "商户数据包"],
  kind: ["交易类型"],
  texts: ["商品名称", "商户数据包"],
  words: { 交易状态: ["SUCCESS", "REFUND", "REVOKED", "USERPAYING", "NOTPAY", "CLOSED", "PAYERROR"] },
  statusOf: (cells) => {
    if (cells["交易状态"] === "SUCCESS") return "received";
    if (cells["交易状态"] === "REFUND") return "refund";
    return cells["交易状态"] === "REVOKED" ? "refunded" : "unfinished";
  },
  returns: (cells) => cells["微信订单号"] || null,
  refunded: (cells) => filled(cells, ["申请退款金额", "退款金额"]),
};

/** WeChat Pay's bill of funds. */
const wechatFunds: Layout = {
  channel: "wechat",
  name: "WeChat Pay (fund bill)",
  known: ["记账时间", "微信支付业务单号", "资金流水单号", "业务类型", "收支类型", "收支金额(元)"],
  number: ["微信支付业务单号", "资金流水单号"],
  amounts: ["收支金额(元)"],
  times: ["记账时间"],
  payer: [],
  remark: ["备注"],
  kind: ["业务名称", "业务类型"],
  texts: ["备注"],
  words: { 收支类型: ["收入", "支出"] },
  statusOf: (cells) => {
    const kind = `${cells["业务名称"] ?? ""} ${cells["业务类型"] ?? ""}`;
    if (cells["收支类型"] === "支出") return /退款/.test(kind) ? "refund" : "other";
    return /交易/.test(kind) && !/退款|手续费/.test(kind) ? "received" : "other";
  },
  returns: () => null,
};

/** What Alipay's merchants see of an account: 账务明细, in the older and the newer format. */
const alipayAccount = { channel: "alipay", name: "Alipay (merchant account bill)", words: {} } as const;

const alipayEntries: Layout = {
  ...alipayAccount,
  known: ["账务流水号", "业务流水号", "发生时间", "业务类型", "收入金额(+元)", "支出金额(-元)"],
  number: ["业务流水号", "账务流水号"],
  amounts: ["收入金额(+元)"],
  times: ["发生时间"],
  payer: ["对方名称", "对方账号"],
  remark: ["商品名称", "备注", "付款备注"],
  kind: ["业务类型"],
  texts: ["商品名称", "对方名称", "备注", "业务描述", "付款备注"],
  statusOf: (cells) => entryStatus(cells, { income: "收入金额(+元)", spent: "支出金额(-元)", type: "业务类型" }),
  returns: (cells) => cells["业务流水号"] || null,
  refunded: (cells) => cells["支出金额(-元)"] ?? "",
};

const alipayFlows: Layout = {
  ...alipayAccount,
  known: ["入账时间", "支付宝交易号", "支付宝流水号", "账务类型", "收入(+元)", "支出(-元)"],
  number: ["支付宝交易号", "支付宝流水号"],
  amounts: ["收入(+元)"],
  times: ["入账时间"],
  payer: ["对方名称", "对方账户"],
  remark: ["商品名称", "备注", "付款备注"],
  kind: ["账务类型"],
  texts: ["商品名称", "对方名称", "备注", "业务描述", "付款备注"],
  statusOf: (cells) => entryStatus(cells, { income: "收入(+元)", spent: "支出(-元)", type: "账务类型" }),
  returns: (cells) => cells["支付宝交易号"] || null,
  refunded: (cells) => cells["支出(-元)"] ?? "",
};

/** Alipay's bill of trades (业务明细). */
const alipayTrades: Layout = {
  channel: "alipay",
  name: "Alipay (merchant bill)",
  known: ["支付宝交易号", "商户订单号", "业务类型", "创建时间", "完成时间", "订单金额(元)"],
  number: ["支付宝交易号"],
  amounts: ["订单金额(元)"],
  times: ["完成时间", "创建时间"],
  payer: ["对方账户"],
  remark: ["商品名称", "备注"],
  kind: ["业务类型"],
  texts: ["商品名称", "门店名称", "备注"],
  words: { 业务类型: ["交易", "退款"] },
  statusOf: (cells) => (cells["业务类型"] === "退款" ? "refund" : "received"),
  returns: (cells) => cells["支付宝交易号"] || null,
  refunded: (cells) => cells["订单金额(元)"] ?? "",
};

/** Inbound money that no buyer sent: returned fees and refunds, own top-ups, interest. */
const ownMoney = /退款|退费|收费|服务费|手续费|提现|充值|保证金|理财|利息|余额宝/;

function entryStatus(cells: Cells, names: { income: string; spent: string; type: string }): RowStatus {
  const type = cells[names.type] ?? "";
  if (/[1-9]/.test(cells[names.income] ?? "")) return ownMoney.test(type) ? "other" : "received";
  return type.includes("退款") && /[1-9]/.test(cells[names.spent] ?? "") ? "refund" : "other";
}

function filled(cells: Cells, names: readonly string[]): string {
  return names.map((name) => cells[name] ?? "").find((text) => /[1-9]/.test(text)) ?? "";
}

export const merchantLayouts: readonly Layout[] = [wechatTrades, wechatFunds, alipayEntries, alipayFlows, alipayTrades];
