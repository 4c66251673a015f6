import { createHash } from "node:crypto";
import {
  type CreatedPayment,
  type GatewayAction,
  type GatewayBuyer,
  GatewayError,
  malformedAnswer,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
} from "#gateways/index.ts";
import type { Merchant } from "./credentials.ts";
import { type Answered, ask, type MerchantApi } from "./exchange.ts";
import { inWechat } from "./identity.ts";
import { manifest } from "./manifest.ts";
import { cashierParams } from "./signature.ts";
import { amountIn, beijingTime, fenOf, inner, momentIn, paymentStates, plainText, text, type Wire } from "./wire.ts";

const transactions = "/v3/pay/transactions";
const maxDescription = 127;
const maxAttach = 128;
/** How long what the buyer opens is valid, in seconds, whenever the payment ends. */
const codeSeconds = 2 * 3_600;
const pageSeconds = 300;

/** How a buyer pays: with a code from another screen, in WeChat's own browser, or from a phone's browser that opens WeChat. */
type Way = "native" | "jsapi" | "h5";

/**
 * Everything sent depends only on the payment: WeChat Pay accepts the same number again only with the same values, and then responds with a
 * new code.
 */
export async function createPayment(api: MerchantApi, payment: NewGatewayPayment): Promise<CreatedPayment> {
  const { merchant, call } = api;
  const way = wayOf(merchant, payment.buyer);
  const answered = await place(api, payment, way);
  const action = actionOf(api, answered, { way, returnUrl: payment.returnUrl });
  const until = new Date(call.now().getTime() + (way === "h5" ? pageSeconds : codeSeconds) * 1_000);
  return {
    reference: payment.reference,
    providerId: null,
    captureId: null,
    state: "pending",
    asked: payment.amount,
    paid: null,
    refunded: null,
    fee: null,
    paidAt: null,
    providerState: "NOTPAY",
    livemode: null,
    account: merchant.mchid,
    failure: null,
    action,
    actionExpiresAt: until < payment.expiresAt ? until : null,
  };
}

/**
 * A payment that ends sooner than WeChat Pay allows gets the shortest lifetime in addition, unless it was requested with its own end
 * before; we close it at its own end.
 */
async function place(api: MerchantApi, payment: NewGatewayPayment, way: Way): Promise<Answered> {
  const { merchant, call } = api;
  const leastMs = manifest.lifetime.minSeconds * 1_000;
  const { expiresAt } = payment;
  const query = (end: Date) =>
    ask(api, {
      method: "POST",
      path: `${transactions}/${way}`,
      body: bodyOf(merchant, { ...payment, expiresAt: end }, way),
      changes: true,
    });
  if (expiresAt.getTime() - call.now().getTime() >= leastMs) return query(expiresAt);
  try {
    return await query(new Date(expiresAt.getTime() + leastMs));
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "conflict") return query(expiresAt);
    throw error;
  }
}

function wayOf({ h5 }: Merchant, { openid, device, ip }: GatewayBuyer): Way {
  // Only WeChat's own browser uses the openid; one remembered elsewhere opens no cashier.
  if (openid !== null && device === inWechat) return "jsapi";
  return device === "phone" && h5 && ip !== null ? "h5" : "native";
}

/** The way of a buyer. In WeChat only the person named in the payment can pay it; on a phone only someone at the IP address in it. */
export function wayNameOf(merchant: Merchant, buyer: GatewayBuyer): string {
  const way = wayOf(merchant, buyer);
  const named = { native: null, jsapi: buyer.openid, h5: buyer.ip }[way];
  return named === null ? way : `${way} ${createHash("sha256").update(`${merchant.appid} ${named}`).digest("base64url").slice(0, 12)}`;
}

function bodyOf({ appid, mchid }: Merchant, payment: NewGatewayPayment, way: Way): Wire {
  const { reference, amount, title, notifyUrl, expiresAt, buyer, metadata } = payment;
  if (amount.currency !== "CNY")
    throw new GatewayError("invalid", { code: "currency", message: "WeChat Pay only accepts payments in yuan." });
  const attach = plainText(
    Object.entries(metadata)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
    maxAttach,
  );
  return {
    appid,
    mchid,
    description: plainText(title, maxDescription) || reference,
    out_trade_no: reference,
    time_expire: beijingTime(expiresAt),
    ...(attach === "" ? {} : { attach }),
    notify_url: notifyUrl,
    amount: { total: fenOf(amount), currency: "CNY" },
    ...(way === "jsapi" ? { payer: { openid: buyer.openid } } : {}),
    ...(way === "h5" ? { scene_info: { payer_client_ip: buyer.ip, h5_info: { type: "Wap" } } } : {}),
  };
}

function actionOf(
  { merchant, call }: MerchantApi,
  { wire, requestId }: Answered,
  { way, returnUrl }: { way: Way; returnUrl: string },
): GatewayAction {
  const name = { native: "code_url", jsapi: "prepay_id", h5: "h5_url" }[way];
  const value = text(wire ?? {}, name);
  if (value === null) throw malformedAnswer(true, requestId);
  if (way === "native") return { type: "display_qr", qr_payload: value };
  if (way === "jsapi") {
    const timestamp = `${Math.floor(call.now().getTime() / 1_000)}`;
    const { privateKey } = merchant;
    return { type: "wechat_jsapi", params: cashierParams(merchant.appid, { prepayId: value, timestamp, nonce: call.nonce(), privateKey }) };
  }
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw malformedAnswer(true, requestId);
  return { type: "redirect", url: `${value}${value.includes("?") ? "&" : "?"}redirect_url=${encodeURIComponent(returnUrl)}` };
}

/** Queries the payment with our reference. */
export async function queryPayment(api: MerchantApi, { reference }: Pick<PaymentKey, "reference">): Promise<PaymentSnapshot> {
  const path = `${transactions}/out-trade-no/${encodeURIComponent(reference)}?mchid=${api.merchant.mchid}`;
  const { wire, requestId } = await ask(api, { method: "GET", path, changes: false });
  const snapshot = wire === null ? null : readTransaction(api.merchant, wire);
  if (snapshot === null || snapshot.reference !== reference) throw malformedAnswer(false, requestId);
  return snapshot;
}

/**
 * A payment from a response or a callback; null if it isn't this merchant's or its state isn't documented. Its number is the merchant's
 * own, whichever of their apps it was created for: an account may have another app by now.
 */
export function readTransaction({ mchid }: Pick<Merchant, "mchid">, wire: Wire): PaymentSnapshot | null {
  const providerState = text(wire, "trade_state") ?? "";
  const state = paymentStates[providerState];
  const reference = text(wire, "out_trade_no");
  if (state === undefined || reference === null || text(wire, "mchid") !== mchid) return null;
  // The order's amount, part of which the buyer may have paid with coupons of WeChat Pay or the merchant.
  const asked = amountIn(inner(wire, "amount"), "total");
  const paidAt = momentIn(wire, "success_time");
  const providerId = text(wire, "transaction_id");
  if (state === "succeeded" && (asked === null || providerId === null)) return null;
  return {
    reference,
    providerId,
    captureId: null,
    state,
    asked,
    paid: state === "succeeded" ? asked : null,
    refunded: null,
    ...(providerState === "REFUND" ? { wasRefunded: true as const } : {}),
    fee: null,
    paidAt: state === "succeeded" ? paidAt : null,
    providerState,
    livemode: null,
    account: mchid,
    failure: state === "failed" ? { code: providerState, message: text(wire, "trade_state_desc") ?? "The payment failed." } : null,
  };
}

/** Closes the payment with our reference. WeChat Pay also closes unknown numbers, which can't be paid afterwards either. */
export async function closePayment(api: MerchantApi, { reference }: PaymentKey): Promise<"closed" | "already_paid" | "absent"> {
  const path = `${transactions}/out-trade-no/${encodeURIComponent(reference)}/close`;
  try {
    const { status, requestId } = await ask(api, { method: "POST", path, body: { mchid: api.merchant.mchid }, changes: true });
    if (status !== 204) throw malformedAnswer(true, requestId);
    return "closed";
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === "already_paid") return "already_paid";
    if (error.kind === "not_found") return "absent";
    if (error.code.replaceAll("_", "") === "ORDERCLOSED") return "closed";
    throw error;
  }
}
