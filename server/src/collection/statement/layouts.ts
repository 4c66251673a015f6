import type { Channel } from "../channels.ts";

/** What a row is to a merchant: money received, money received and given back since, or neither. */
export type Standing = "received" | "refunded" | "other";

/** One kind of statement: which columns tell it, and what they mean. */
export interface Layout {
  channel: Channel;
  name: string;
  known: readonly string[];
  number: string;
  amount: string;
  /** The first of these that is filled is when the money came. */
  times: readonly string[];
  payer: readonly string[];
  remark: readonly string[];
  standing(cells: Record<string, string>): Standing;
}

const wechat: Layout = {
  channel: "wechat",
  name: "WeChat Pay",
  known: ["交易时间", "交易类型", "收/支", "金额(元)", "交易单号"],
  number: "交易单号",
  amount: "金额(元)",
  times: ["交易时间"],
  payer: ["交易对方"],
  remark: ["商品", "备注"],
  standing: (cells) => {
    const state = cells["当前状态"] ?? "";
    if (cells["收/支"] !== "收入" || cells["交易类型"]?.includes("退款") === true) return "other";
    if (state.includes("退")) return "refunded";
    return /失败|关闭|撤销|过期|待|处理中/.test(state) ? "other" : "received";
  },
};

const alipay: Layout = {
  channel: "alipay",
  name: "Alipay",
  known: ["交易时间", "交易分类", "收/支", "金额", "交易订单号"],
  number: "交易订单号",
  amount: "金额",
  times: ["交易时间"],
  payer: ["交易对方", "对方账号"],
  remark: ["商品说明", "备注"],
  standing: (cells) => {
    const income = cells["收/支"] === "收入" && cells["交易分类"] !== "退款";
    return income && cells["交易状态"] === "交易成功" ? "received" : "other";
  },
};

/** The layout that Alipay's website exported before its app did. */
const olderAlipay: Layout = {
  channel: "alipay",
  name: "Alipay",
  known: ["交易号", "商家订单号", "交易创建时间", "收/支", "金额（元）"],
  number: "交易号",
  amount: "金额（元）",
  times: ["付款时间", "交易创建时间"],
  payer: ["交易对方"],
  remark: ["商品名称", "备注"],
  standing: (cells) => {
    if (cells["收/支"] !== "收入" || cells["类型"]?.includes("退款") === true || cells["交易状态"] !== "交易成功") return "other";
    return /[1-9]/.test(cells["成功退款（元）"] ?? "") ? "refunded" : "received";
  },
};

export const layouts: readonly Layout[] = [wechat, alipay, olderAlipay];
