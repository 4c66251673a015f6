import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { SimulatorWorld } from "#gateways/index.ts";
import type { SimulatedMerchant } from "./accounts.ts";
import { listRefunds, type Refund } from "./refunds.ts";
import { inBeijing, type Json, parameterError, Refused } from "./rules.ts";
import type { Transaction } from "./transactions.ts";

const columns = [
  ...[
    "交易时间",
    "公众账号ID",
    "商户号",
    "特约商户号",
    "设备号",
    "微信订单号",
    "商户订单号",
    "用户标识",
    "交易类型",
    "交易状态",
    "付款银行",
    "货币种类",
  ],
  ...[
    "应结订单金额",
    "代金券金额",
    "微信退款单号",
    "商户退款单号",
    "退款金额",
    "充值券退款金额",
    "退款类型",
    "退款状态",
    "商品名称",
    "商户数据包",
  ],
  ...["手续费", "费率", "订单金额", "申请退款金额", "费率备注"],
];
const sums = ["总交易单数", "应结订单总金额", "退款总金额", "充值券退款总金额", "手续费总金额", "订单总金额", "申请退款总金额"];

/** Announces the bill of a day in Beijing: it's ready at ten on the next day, and a day without payments has none. */
export async function announceBill(world: SimulatorWorld, merchant: SimulatedMerchant, query: URLSearchParams): Promise<Json> {
  const day = query.get("bill_date") ?? "";
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || (query.get("bill_type") ?? "ALL") !== "ALL") throw parameterError("bill_date");
  const readyMs = Date.parse(`${day}T00:00:00+08:00`) + (24 + 10) * 3_600_000;
  const now = world.now().getTime();
  if (inBeijing(now).slice(0, 10) <= day) throw new Refused(400, "NO_STATEMENT_EXIST", "请求的账单文件不存在");
  if (now < readyMs) throw new Refused(400, "STATEMENT_CREATING", "账单文件正在生成");
  const bill = await writeBill(world, merchant, day);
  if (bill === null) throw new Refused(400, "NO_STATEMENT_EXIST", "请求的账单文件不存在");
  const token = world.token(48);
  await world.documents.put("bill", token, { mchid: merchant.mchid, bill });
  const packed = query.get("tar_type") === "GZIP" ? "&tartype=gzip" : "";
  const hash = createHash("sha1").update(bill).digest("hex");
  return { hash_type: "SHA1", hash_value: hash, download_url: `${world.origin}/v3/billdownload/file?token=${token}${packed}` };
}

/** The file of an announced bill. It isn't signed. */
export async function downloadBill(world: SimulatorWorld, merchant: SimulatedMerchant, query: URLSearchParams): Promise<Buffer> {
  const stored = await world.documents.get<{ mchid: string; bill: string }>("bill", query.get("token") ?? "");
  if (stored === null || stored.mchid !== merchant.mchid) throw new Refused(404, "RESOURCE_NOT_EXISTS", "账单文件不存在");
  return query.get("tartype") === "gzip" ? gzipSync(stored.bill) : Buffer.from(stored.bill);
}

async function writeBill(world: SimulatorWorld, { mchid }: SimulatedMerchant, day: string): Promise<string | null> {
  const isOfDay = (ms: number | null) => ms !== null && inBeijing(ms).slice(0, 10) === day;
  const all = (await world.documents.list<Transaction>("transaction")).filter((one) => one.mchid === mchid);
  const paid = all.filter(({ paidMs }) => isOfDay(paidMs)).map((one) => paidRow(one));
  const refunded = (await listRefunds(world, { mchid }))
    .filter(({ createdMs }) => isOfDay(createdMs))
    .map((refund) =>
      refundRow(
        all.find(({ no }) => no === refund.no),
        refund,
      ),
    );
  const rows = [...paid, ...refunded];
  if (rows.length === 0) return null;
  const line = (cells: readonly string[]) => cells.map((cell) => `\`${cell}`).join(",");
  const total = [String(rows.length), ...sums.slice(1).map(() => "0.00")];
  return `\uFEFF${[columns.join(","), ...rows.map((row) => line(columns.map((name) => row[name] ?? ""))), sums.join(","), line(total)].join("\r\n")}\r\n`;
}

type Row = Readonly<Record<string, string>>;

function paidRow(transaction: Transaction): Row {
  return {
    ...baseRow(transaction),
    交易时间: clock(transaction.paidMs ?? 0),
    交易状态: "SUCCESS",
    应结订单金额: yuan(transaction.total),
    订单金额: yuan(transaction.total),
    手续费: feeOf(transaction.total),
  };
}

function refundRow(transaction: Transaction | undefined, refund: Refund): Row {
  const { refundId, refundNo, amount, status, createdMs } = refund;
  const columns = {
    微信退款单号: refundId,
    商户退款单号: refundNo,
    退款金额: yuan(amount),
    申请退款金额: yuan(amount),
    退款类型: "ORIGINAL",
    手续费: `-${feeOf(amount)}`,
  };
  const state = status === "ABNORMAL" ? "CHANGE" : status;
  const base = transaction === undefined ? {} : baseRow(transaction);
  return { ...base, ...columns, 交易时间: clock(createdMs), 交易状态: "REFUND", 应结订单金额: "0.00", 订单金额: "0.00", 退款状态: state };
}

function baseRow({ appid, mchid, transactionId, no, openid, description, attach }: Transaction): Row {
  const ids = { 公众账号ID: appid, 商户号: mchid, 特约商户号: "0", 微信订单号: transactionId ?? "", 商户订单号: no, 用户标识: openid };
  return { ...ids, 付款银行: "OTHERS", 货币种类: "CNY", 商品名称: description, 商户数据包: attach ?? "", 费率: "0.60%" };
}

/** WeChat Pay's fee of 0.6 percent, rounded to fen, with the five decimals of its bills. */
const feeOf = (fen: number) => `${yuan(Math.round(fen * 0.006))}000`;

const clock = (ms: number) => inBeijing(ms).slice(0, 19).replace("T", " ");

function yuan(fen: number): string {
  return `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, "0")}`;
}
