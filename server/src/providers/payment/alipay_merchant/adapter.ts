import {
  type CreatedPayment,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayBuyer,
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayPayment,
  type NewGatewayRefund,
  type PaymentKey,
  type PaymentSnapshot,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { callAlipay, encodeParams, signedParams } from "./call-alipay.ts";
import { hintOf, verifyCallback } from "./callback.ts";
import { type AlipayCredentials, readCredentials } from "./credentials.ts";
import { manifest } from "./manifest.ts";
import { amountOf, beijingTime, fieldsOf, notWaiting, plainText, snapshotOf, unopened, yuanOf } from "./wire.ts";

const codeLifetimeMs = 2 * 3_600_000;
/** The address of a page is a signed request, and Alipay refuses one whose timestamp is old. A new one leads to the same payment. */
const pageLifetimeMs = 10 * 60_000;

/**
 * Alipay for merchants: a code to scan on a desktop and inside other wallets' apps, which don't open Alipay's pages; Alipay's page on a
 * phone.
 */
export const alipayMerchant: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).alipayMerchantSimulator,
  manifest,
  open: (fields) => openAccount(readCredentials(fields)),
  hint: hintOf,
  answer(outcome) {
    // Alipay repeats every callback that doesn't get exactly this word in response.
    const status = outcome === "stored" ? 200 : outcome === "failed" ? 503 : 400;
    return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: outcome === "stored" ? "success" : "failure" };
  },
};

function openAccount(credentials: AlipayCredentials): GatewayAccount {
  return {
    // Callbacks contain the app id; neither keys nor addresses say whether they are test or live.
    id: credentials.appId,
    keyIds: [...credentials.alipayKeys.keys()].filter((name) => name !== ""),
    baseUrl: null,
    check: (call) => checkAccount(call, credentials),
    wayOf: (buyer) => wayOf(credentials, buyer),
    create: (call, payment) => createPayment(call, credentials, payment),
    query: (call, key) => queryPayment(call, credentials, key),
    capture: null,
    close: (call, key) => closePayment(call, credentials, key),
    refund: (call, refund) => refundPayment(call, credentials, refund),
    queryRefund: (call, key) => queryRefund(call, credentials, key),
    // The daily bill is a ZIP of CSV files in GB 18030 on another host, which an account's calls can't reach.
    listSettled: null,
    verify: async (_call, callback) => verifyCallback(credentials, callback),
  };
}

/** Queries a trade that doesn't exist: the response that it doesn't exist proves that the keys on both sides are right. */
async function checkAccount(call: GatewayCall, credentials: AlipayCredentials): Promise<{ account: string; name: null }> {
  const request = { method: "alipay.trade.query", content: { out_trade_no: `check_${call.nonce()}` }, changes: false };
  try {
    await callAlipay(call, credentials, request);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === "signature")
      throw new GatewayError("auth", { code: error.code, message: error.message, requestId: error.requestId });
    if (error.kind !== "not_found") throw error;
  }
  return { account: credentials.appId, name: null };
}

/** How a buyer pays: with a code, on Alipay's page for phones, or on its page for computers. */
type Way = "code" | "wap" | "page";

/** Phones, both their browsers and Alipay's own, open Alipay's page. Other wallets' apps block it, so they get the code. */
function wayOf({ desktop }: AlipayCredentials, { device }: GatewayBuyer): Way {
  if (device === "phone" || device === "alipay") return "wap";
  return device === "desktop" ? desktop : "code";
}

async function createPayment(call: GatewayCall, credentials: AlipayCredentials, payment: NewGatewayPayment): Promise<CreatedPayment> {
  const { reference, amount, buyer } = payment;
  const now = call.now().getTime();
  const { minSeconds, maxSeconds } = manifest.lifetime;
  const endsAt = new Date(Math.min(Math.max(payment.expiresAt.getTime(), now + minSeconds * 1_000), now + maxSeconds * 1_000));
  const notes = Object.entries(payment.metadata).map(([name, value]) => `${name}: ${value}`);
  const content = {
    out_trade_no: reference,
    total_amount: yuanOf(amount),
    subject: plainText(payment.title, 256),
    ...(notes.length === 0 ? {} : { body: plainText(notes.join(", "), 128) }),
    // Absolute: `timeout_express` would count from when the buyer opens the payment.
    time_expire: beijingTime(endsAt),
  };
  const known = unopened({ reference, account: credentials.appId }, amount);
  const way = wayOf(credentials, buyer);
  const until = (lifetimeMs: number) => (now + lifetimeMs < payment.expiresAt.getTime() ? new Date(now + lifetimeMs) : null);
  if (way !== "code") {
    const url = pageOf(call, credentials, { payment, content, way });
    return { ...known, action: { type: "redirect", url }, actionExpiresAt: until(pageLifetimeMs) };
  }
  const answer = await callAlipay(call, credentials, {
    method: "alipay.trade.precreate",
    content,
    params: { notify_url: payment.notifyUrl },
    changes: true,
  });
  const field = fieldsOf(answer);
  const code = field("qr_code");
  if (field("out_trade_no") !== reference || code === null || code.length > 1_000) throw malformedAnswer(true);
  return { ...known, action: { type: "display_qr", qr_payload: code }, actionExpiresAt: until(codeLifetimeMs) };
}

/** The method and product code of each of Alipay's pages. */
const pages = {
  wap: { method: "alipay.trade.wap.pay", product_code: "QUICK_WAP_WAY" },
  page: { method: "alipay.trade.page.pay", product_code: "FAST_INSTANT_TRADE_PAY" },
} as const;

/** Returns the URL of one of Alipay's pages. Opening it creates the trade; no request is made before. */
function pageOf(
  call: GatewayCall,
  credentials: AlipayCredentials,
  { payment, content, way }: { payment: NewGatewayPayment; content: Record<string, string>; way: keyof typeof pages },
): string {
  const { method, product_code } = pages[way];
  // The phone page has a link to cancel.
  const quit = way === "wap" ? { quit_url: payment.cancelUrl } : {};
  const params = signedParams(call, credentials, {
    method,
    content: { ...content, product_code, ...quit },
    params: { notify_url: payment.notifyUrl, return_url: payment.returnUrl },
  });
  return `${call.baseUrl}/gateway.do?${encodeParams(params)}`;
}

async function queryPayment(call: GatewayCall, credentials: AlipayCredentials, { reference }: PaymentKey): Promise<PaymentSnapshot> {
  try {
    const answer = await callAlipay(call, credentials, {
      method: "alipay.trade.query",
      content: { out_trade_no: reference },
      changes: false,
    });
    const snapshot = snapshotOf(fieldsOf(answer), credentials.appId);
    if (snapshot === null || snapshot.reference !== reference) throw malformedAnswer(false);
    return snapshot;
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return unopened({ reference, account: credentials.appId }, null);
    throw error;
  }
}

async function closePayment(
  call: GatewayCall,
  credentials: AlipayCredentials,
  key: PaymentKey,
): Promise<"closed" | "already_paid" | "unopened"> {
  try {
    await callAlipay(call, credentials, { method: "alipay.trade.close", content: { out_trade_no: key.reference }, changes: true });
    return "closed";
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === "not_found") return cancelUnopened(call, credentials, key);
    if (!notWaiting.has(error.code)) throw error;
    const { state } = await queryPayment(call, credentials, key);
    if (state === "succeeded") return "already_paid";
    if (state === "canceled") return "closed";
    throw error;
  }
}

/**
 * Cancels the code of a payment that wasn't opened. If a buyer opens and pays it at that very moment, Alipay refunds them. Alipay doesn't
 * promise this for its pages, and may not let the app cancel anything, so such a payment is `unopened` until it expires.
 */
async function cancelUnopened(
  call: GatewayCall,
  credentials: AlipayCredentials,
  { reference }: PaymentKey,
): Promise<"closed" | "already_paid" | "unopened"> {
  try {
    const answer = await callAlipay(call, credentials, {
      method: "alipay.trade.cancel",
      content: { out_trade_no: reference },
      changes: true,
    });
    const field = fieldsOf(answer);
    if (field("retry_flag") === "Y")
      throw new GatewayError("unknown_outcome", { code: "retry_flag", message: "Alipay asked to try again." });
    if (field("action") === null) return "unopened";
    return field("action") === "close" ? "closed" : "already_paid";
  } catch (error) {
    if (error instanceof GatewayError && ["not_found", "invalid", "auth"].includes(error.kind)) return "unopened";
    throw error;
  }
}

async function refundPayment(call: GatewayCall, credentials: AlipayCredentials, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const answer = await callAlipay(call, credentials, {
    method: "alipay.trade.refund",
    content: {
      out_trade_no: refund.reference,
      refund_amount: yuanOf(refund.amount),
      // Always sent: a repeat of the same number refunds nothing more.
      out_request_no: refund.refundReference,
      ...(refund.reason === null ? {} : { refund_reason: plainText(refund.reason, 80) }),
    },
    changes: true,
    paysOut: true,
  });
  const field = fieldsOf(answer);
  if (field("out_trade_no") !== refund.reference) throw malformedAnswer(true);
  const made = { refundReference: refund.refundReference, providerRefundId: null, amount: refund.amount, claimUrl: null, failure: null };
  if (field("fund_change") === "Y") return { ...made, state: "succeeded", providerState: "fund_change=Y" };
  // No money moved this time: it did before, or it will. Only the query confirms either; requesting it again under its number is safe.
  const key = { ...refund, providerRefundId: null };
  return queryRefund(call, credentials, key).catch((error) => {
    if (!(error instanceof GatewayError)) throw error;
    const message = "Alipay accepted this refund without moving money, and doesn't confirm it.";
    throw new GatewayError("unknown_outcome", { code: "fund_change=N", message });
  });
}

async function queryRefund(
  call: GatewayCall,
  credentials: AlipayCredentials,
  { reference, refundReference }: RefundKey,
): Promise<RefundSnapshot> {
  const content = { out_trade_no: reference, out_request_no: refundReference };
  const answer = await callAlipay(call, credentials, { method: "alipay.trade.fastpay.refund.query", content, changes: false });
  const field = fieldsOf(answer);
  const status = field("refund_status");
  // A response without a refund is Alipay's way of saying that there is none, or none yet; requesting it again under its number is safe.
  if (status === null && field("refund_amount") === null)
    throw new GatewayError("not_found", { code: "no_refund", message: "Alipay doesn't have this refund." });
  if (field("out_request_no") !== refundReference) throw malformedAnswer(false);
  return {
    refundReference,
    providerRefundId: null,
    state: status === "REFUND_SUCCESS" ? "succeeded" : "pending",
    amount: amountOf(field("refund_amount")),
    claimUrl: null,
    providerState: status ?? "",
    failure: null,
  };
}
