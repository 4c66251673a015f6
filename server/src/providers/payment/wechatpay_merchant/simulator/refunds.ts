import type { SimulatedRefundOutcome, SimulatorWorld } from "#gateways/index.ts";
import type { SimulatedMerchant } from "./accounts.ts";
import { callbackOf, writeNotification } from "./notifications.ts";
import { merchantOf } from "./outcomes.ts";
import { fenAt, inBeijing, type Json, notifyUrlAt, numberAt, objectAt, parameterError, Refused, textAt } from "./rules.ts";
import { findTransaction, putTransaction, type Transaction } from "./transactions.ts";

export interface Refund {
  mchid: string;
  no: string;
  refundNo: string;
  refundId: string;
  asked: string;
  amount: number;
  total: number;
  status: "PROCESSING" | "SUCCESS" | "ABNORMAL";
  createdMs: number;
  endedMs: number | null;
  notifyUrl: string | null;
  transactionId: string;
  usesPublicKey: boolean;
}

const yearMs = 365 * 86_400_000;
const betweenMs = 60_000;
const maxParts = 50;

export const findRefund = (world: SimulatorWorld, mchid: string, refundNo: string) =>
  world.documents.get<Refund>("refund", `${mchid}/${refundNo}`);

async function putRefund(world: SimulatorWorld, refund: Refund): Promise<void> {
  await world.documents.put("refund", `${refund.mchid}/${refund.refundNo}`, refund);
  await world.documents.put("refund_number", refund.refundNo, refund.mchid);
}

interface RefundCall {
  merchant: SimulatedMerchant;
  body: Json;
  usesPublicKey: boolean;
}

/** Accepts a refund, or reports the result of the one with this number. */
export async function placeRefund(world: SimulatorWorld, { merchant, body, usesPublicKey }: RefundCall): Promise<Json> {
  const refundNo = numberAt(body, "out_refund_no", { min: 1, max: 64 });
  const amounts = objectAt(body, "amount");
  const [amount, total] = [fenAt(amounts, "refund"), fenAt(amounts, "total")];
  if (amounts["currency"] !== "CNY") throw parameterError("amount/currency");
  if (body["reason"] !== undefined) textAt(body, "reason", 80);
  const notifyUrl = body["notify_url"] === undefined ? null : notifyUrlAt(body);
  const asked = JSON.stringify(body);
  const known = await findRefund(world, merchant.mchid, refundNo);
  if (known !== null) {
    if (known.asked !== asked) throw new Refused(400, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致，请核实后再试");
    return refundJson(known);
  }
  const transaction = await findTransaction(world, merchant.mchid, numberAt(body, "out_trade_no", { min: 6, max: 32 }));
  if (transaction === null || transaction.transactionId === null) throw new Refused(404, "RESOURCE_NOT_EXISTS", "订单不存在");
  await checkRoom(world, transaction, { amount, total });
  const now = world.now().getTime();
  const refundId = `503000${[...world.token(22)].map((character) => character.charCodeAt(0) % 10).join("")}`;
  const { no, mchid, transactionId } = transaction;
  const state = { status: "PROCESSING", createdMs: now, endedMs: null } as const;
  const refund: Refund = { mchid, no, refundNo, refundId, asked, amount, total, ...state, notifyUrl, transactionId, usesPublicKey };
  await putRefund(world, refund);
  await putTransaction(world, { ...transaction, state: "REFUND" });
  return refundJson(refund);
}

async function checkRoom(
  world: SimulatorWorld,
  transaction: Transaction,
  { amount, total }: { amount: number; total: number },
): Promise<void> {
  const now = world.now().getTime();
  const earlier = await listRefunds(world, transaction);
  const spent = earlier.filter(({ status }) => status !== "ABNORMAL").reduce((sum, one) => sum + one.amount, 0);
  if (total !== transaction.total) throw new Refused(400, "INVALID_REQUEST", "订单金额不一致");
  if (now - (transaction.paidMs ?? 0) > yearMs) throw new Refused(400, "INVALID_REQUEST", "订单已超过可退款期限");
  if (spent + amount > transaction.total || earlier.length >= maxParts)
    throw new Refused(400, "INVALID_REQUEST", "申请退款金额大于可退金额");
  if (earlier.some(({ createdMs }) => now - createdMs < betweenMs))
    throw new Refused(429, "FREQUENCY_LIMITED", "同一笔订单退款频率过快，请稍后再试");
}

export async function listRefunds(world: SimulatorWorld, { mchid, no }: { mchid: string; no?: string }): Promise<Refund[]> {
  const all = await world.documents.list<Refund>("refund");
  return all.filter((refund) => refund.mchid === mchid && (no === undefined || refund.no === no));
}

/** Decides a refund: the buyer has the money, or the buyer's bank returned it, even after some time. */
export async function decideRefund(
  world: SimulatorWorld,
  action: { refundReference: string; outcome: SimulatedRefundOutcome },
): Promise<void> {
  const mchid = (await world.documents.get<string>("refund_number", action.refundReference)) ?? "";
  const refund = await findRefund(world, mchid, action.refundReference);
  if (refund === null) throw new Error(`there is no refund ${action.refundReference}`);
  const steps = { succeeded: ["SUCCESS"], failed: ["ABNORMAL"], failed_later: ["SUCCESS", "ABNORMAL"] } as const;
  for (const status of steps[action.outcome]) await endRefund(world, { ...refund, status, endedMs: world.now().getTime() });
}

async function endRefund(world: SimulatorWorld, refund: Refund): Promise<void> {
  await putRefund(world, refund);
  const { notifyUrl: url, status, no, usesPublicKey } = refund;
  if (url === null) return;
  const { status: _, create_time, channel, ...content } = refundJson(refund);
  const notification = await writeNotification(world, {
    merchant: await merchantOf(world, refund),
    no,
    url,
    usesPublicKey,
    type: `REFUND.${status}`,
    summary: status === "SUCCESS" ? "退款成功" : "退款异常",
    originalType: "refund",
    resource: { mchid: refund.mchid, refund_status: status, ...content },
  });
  await world.send(await callbackOf(world, notification));
}

export function refundJson(refund: Refund): Json {
  const { refundId, refundNo, transactionId, no, status, createdMs, endedMs, amount, total } = refund;
  return {
    refund_id: refundId,
    out_refund_no: refundNo,
    transaction_id: transactionId,
    out_trade_no: no,
    channel: "ORIGINAL",
    user_received_account: "支付用户零钱",
    create_time: inBeijing(createdMs),
    ...(status === "SUCCESS" && endedMs !== null ? { success_time: inBeijing(endedMs) } : {}),
    status,
    amount: {
      total,
      refund: amount,
      payer_total: total,
      payer_refund: amount,
      settlement_total: total,
      settlement_refund: amount,
      discount_refund: 0,
      currency: "CNY",
    },
  };
}
