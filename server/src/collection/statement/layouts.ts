import type { Cells, Layout, RowStatus } from "./layout.ts";
import { merchantLayouts } from "./merchant-layouts.ts";

/** A wallet's words for a transfer that failed or hasn't ended yet. */
const unfinished = /失败|关闭|撤销|取消|过期|超时|待|中$|处理中|未|冻结|异常/;

const wechat: Layout = {
  channel: "wechat",
  name: "WeChat Pay",
  known: ["交易时间", "交易类型", "收/支", "金额(元)", "交易单号"],
  number: ["交易单号"],
  amounts: ["金额(元)"],
  times: ["交易时间"],
  payer: ["交易对方"],
  remark: ["商品", "备注"],
  kind: ["交易类型"],
  texts: ["交易对方", "商品", "备注"],
  words: { "收/支": ["收入", "支出", "", "中性交易"] },
  statusOf: (cells) => {
    const state = cells["当前状态"] ?? "";
    const back = cells["交易类型"]?.includes("退款") === true;
    if (cells["收/支"] === "支出") return back ? "refund" : "other";
    if (cells["收/支"] !== "收入" || back) return "other";
    if (state.includes("退")) return "refunded";
    // An unknown word counts as unfinished: money that wasn't certainly received pays nothing automatically.
    return !unfinished.test(state) && /已|成功|完成/.test(state) ? "received" : "unfinished";
  },
  returns: () => null,
  refunded: (cells) => /退款[^0-9]*([\d,.]+)/.exec(cells["当前状态"] ?? "")?.[1] ?? "",
};

const alipay: Layout = {
  channel: "alipay",
  name: "Alipay",
  known: ["交易时间", "交易分类", "收/支", "金额", "交易订单号"],
  number: ["交易订单号"],
  amounts: ["金额"],
  times: ["交易时间"],
  payer: ["交易对方", "对方账号"],
  remark: ["商品说明", "备注"],
  kind: ["交易分类"],
  texts: ["交易对方", "商品说明", "备注"],
  words: { "收/支": ["收入", "支出", "不计收支", "其他", ""] },
  statusOf: (cells) => alipayStatus(cells, cells["交易分类"] ?? ""),
  returns: (cells) => originOf(cells["交易订单号"]),
};

/** The layout that Alipay's website exported before its app did. */
const olderAlipay: Layout = {
  channel: "alipay",
  name: "Alipay",
  known: ["交易号", "商家订单号", "交易创建时间", "收/支", "金额(元)"],
  number: ["交易号"],
  amounts: ["金额(元)"],
  times: ["付款时间", "交易创建时间"],
  payer: ["交易对方"],
  remark: ["商品名称", "备注"],
  kind: ["类型"],
  texts: ["交易对方", "商品名称", "备注"],
  words: { "收/支": ["收入", "支出", "不计收支", "其他", ""] },
  statusOf: (cells) => {
    const status = alipayStatus(cells, cells["类型"] ?? "");
    return status === "received" && /[1-9]/.test(cells["成功退款(元)"] ?? "") ? "refunded" : status;
  },
  returns: (cells) => originOf(cells["交易号"]),
  refunded: (cells) => cells["成功退款(元)"] ?? "",
};

function alipayStatus(cells: Cells, type: string): RowStatus {
  const state = cells["交易状态"] ?? "";
  const back = type.includes("退款") || state.includes("退款");
  if (cells["收/支"] === "支出") return back ? "refund" : "other";
  if (back) return cells["收/支"] === "收入" && !type.includes("退款") ? "refunded" : "other";
  if (cells["收/支"] === "收入") return state === "交易成功" ? "received" : "unfinished";
  // A closed sale counts neither as income nor as spending.
  return state === "交易关闭" && /收款|转账|收钱|商业服务/.test(type) ? "unfinished" : "other";
}

/** Alipay writes a refund's number as the payment's, a separator and the refund's own. */
function originOf(number = ""): string | null {
  return /^(\d{16,40})[_*]/.exec(number)?.[1] ?? null;
}

const layouts: readonly Layout[] = [wechat, alipay, olderAlipay, ...merchantLayouts];

/** The layout of a statement with these columns; undefined for a line that isn't one of column names. */
export function layoutOf(columns: readonly string[]): Layout | undefined {
  return layouts.find((one) => one.known.every((name) => columns.includes(name)));
}
