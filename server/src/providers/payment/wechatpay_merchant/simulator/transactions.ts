import type { SimulatorWorld } from "#gateways/index.ts";
import type { SimulatedMerchant } from "./accounts.ts";
import { fenAt, inBeijing, type Json, momentAt, notifyUrlAt, numberAt, objectAt, parameterError, Refused, textAt } from "./rules.ts";

export type Way = "native" | "jsapi" | "h5";

export interface Transaction {
  mchid: string;
  appid: string;
  no: string;
  way: Way;
  /** The request as first received: a repeat must be the same. */
  asked: string;
  description: string;
  attach: string | null;
  notifyUrl: string;
  total: number;
  expiresMs: number;
  state: "NOTPAY" | "USERPAYING" | "SUCCESS" | "REFUND" | "CLOSED" | "PAYERROR";
  transactionId: string | null;
  paidMs: number | null;
  openid: string;
  /** Whether the merchant requested signatures with WeChat Pay's public key. */
  usesPublicKey: boolean;
}

/** What a code or a page leads to, and until when. */
export interface Ticket {
  mchid: string;
  no: string;
  untilMs: number;
}

const codeMs = 7_200_000;
const pageMs = 300_000;
const weekMs = 7 * 86_400_000;

export const findTransaction = (world: SimulatorWorld, mchid: string, no: string) =>
  world.documents.get<Transaction>("transaction", `${mchid}/${no}`);

/** By the merchant's number only, for any merchant. */
export async function findByNumber(world: SimulatorWorld, no: string): Promise<Transaction> {
  const mchid = await world.documents.get<string>("transaction_number", no);
  const found = mchid === null ? null : await findTransaction(world, mchid, no);
  if (found === null) throw new Error(`there is no payment ${no}`);
  return found;
}

export async function putTransaction(world: SimulatorWorld, transaction: Transaction): Promise<void> {
  await world.documents.put("transaction", `${transaction.mchid}/${transaction.no}`, transaction);
  await world.documents.put("transaction_number", transaction.no, transaction.mchid);
}

interface NewOrder {
  merchant: SimulatedMerchant;
  way: Way;
  body: Json;
  usesPublicKey: boolean;
}

/** Accepts an order, or returns a new code for one that is still open. */
export async function placeOrder(world: SimulatorWorld, given: NewOrder): Promise<Json> {
  const { merchant, way, body, usesPublicKey } = given;
  const order = readOrder(merchant, way, body);
  const known = await findTransaction(world, merchant.mchid, order.no);
  const now = world.now().getTime();
  if (known === null) {
    if (order.expiresMs <= now + 60_000 || order.expiresMs > now + weekMs) throw parameterError("time_expire");
    await putTransaction(world, { ...order, openid: order.openid || `o${world.token(27)}`, usesPublicKey });
  } else {
    if (known.state === "SUCCESS" || known.state === "REFUND") throw new Refused(400, "ORDERPAID", "该订单已支付");
    if (known.state === "CLOSED" || known.expiresMs <= now) throw new Refused(400, "ORDER_CLOSED", "该订单已关闭");
    if (known.asked !== order.asked) throw new Refused(400, "INVALID_REQUEST", "请求重入时，参数与首次请求时不一致");
  }
  const token = `wx${world.token(34)}`;
  await world.documents.put("ticket", token, {
    mchid: merchant.mchid,
    no: order.no,
    untilMs: now + (way === "h5" ? pageMs : codeMs),
  } satisfies Ticket);
  if (way === "jsapi") return { prepay_id: token };
  // WeChat's own codes start with weixin: and open nothing here; this one opens the page on which the outcome is chosen.
  if (way === "native") return { code_url: `${world.origin}/bizpayurl?pr=${token}` };
  return { h5_url: `${world.origin}/checkmweb?prepay_id=${token}&package=${now}` };
}

function readOrder(merchant: SimulatedMerchant, way: Way, body: Json): Transaction {
  if (textAt(body, "mchid", 32) !== merchant.mchid) throw parameterError("mchid");
  if (textAt(body, "appid", 32) !== merchant.appid) throw new Refused(400, "APPID_MCHID_NOT_MATCH", "appid和mch_id不匹配");
  const amount = objectAt(body, "amount");
  if ((amount["currency"] ?? "CNY") !== "CNY") throw parameterError("amount/currency");
  if (way === "h5") {
    const scene = objectAt(body, "scene_info");
    textAt(scene, "payer_client_ip", 45);
    textAt(objectAt(scene, "h5_info"), "type", 32);
  }
  return {
    mchid: merchant.mchid,
    appid: merchant.appid,
    no: numberAt(body, "out_trade_no", { min: 6, max: 32 }),
    way,
    asked: JSON.stringify([way, body]),
    description: textAt(body, "description", 127),
    attach: body["attach"] === undefined ? null : textAt(body, "attach", 128),
    notifyUrl: notifyUrlAt(body),
    total: fenAt(amount, "total"),
    expiresMs: momentAt(body, "time_expire"),
    state: "NOTPAY",
    transactionId: null,
    paidMs: null,
    openid: way === "jsapi" ? textAt(objectAt(body, "payer"), "openid", 128) : "",
    usesPublicKey: false,
  };
}

/** Closes an order. A number that was never used is closed too, so that it can't be used afterwards. */
export async function closeOrder(world: SimulatorWorld, merchant: SimulatedMerchant, no: string): Promise<void> {
  const known = await findTransaction(world, merchant.mchid, no);
  if (known === null) throw new Refused(404, "ORDER_NOT_EXIST", "订单不存在");
  if (known.state === "SUCCESS" || known.state === "REFUND") throw new Refused(400, "ORDERPAID", "订单已支付");
  await putTransaction(world, { ...known, state: "CLOSED" });
}

const stateWords = {
  NOTPAY: "订单未支付",
  USERPAYING: "用户支付中",
  SUCCESS: "支付成功",
  REFUND: "订单发生过退款",
  CLOSED: "订单已关闭",
  PAYERROR: "支付失败(其他原因，如银行返回失败)",
} as const;
const tradeTypes = { native: "NATIVE", jsapi: "JSAPI", h5: "MWEB" } as const;

/** An order in queries and notifications. The fields of the payment are present once it was paid, the amount always. */
export function transactionJson(transaction: Transaction): Json {
  const { appid, mchid, no, way, state, transactionId, paidMs, total, openid, attach } = transaction;
  return {
    appid,
    mchid,
    out_trade_no: no,
    trade_state: state,
    trade_state_desc: stateWords[state],
    amount: { total, payer_total: total, currency: "CNY", payer_currency: "CNY" },
    ...(attach === null ? {} : { attach }),
    ...(paidMs === null
      ? {}
      : {
          transaction_id: transactionId,
          trade_type: tradeTypes[way],
          bank_type: "OTHERS",
          success_time: inBeijing(paidMs),
          payer: { openid },
        }),
  };
}
