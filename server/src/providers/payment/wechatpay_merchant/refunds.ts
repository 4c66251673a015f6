import { GatewayError, malformedAnswer, type NewGatewayRefund, type RefundKey, type RefundSnapshot } from "#gateways/index.ts";
import { type Answered, ask, type MerchantApi } from "./exchange.ts";
import { amountIn, fenOf, inner, plainText, refundStates, text, type Wire } from "./wire.ts";

const refunds = "/v3/refund/domestic/refunds";
const maxReason = 80;

/** Requests a refund, always by our own number of the payment: a repeat must have the same values, whatever we learned in between. */
export async function createRefund(api: MerchantApi, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const { reference, refundReference, amount, total, notifyUrl } = refund;
  if (amount.currency !== "CNY" || total.currency !== "CNY") {
    throw new GatewayError("invalid", { code: "currency", message: "WeChat Pay only refunds payments in yuan." });
  }
  const reason = plainText(refund.reason ?? "", maxReason);
  const body = {
    out_trade_no: reference,
    out_refund_no: refundReference,
    ...(reason === "" ? {} : { reason }),
    notify_url: notifyUrl,
    amount: { refund: fenOf(amount), total: fenOf(total), currency: "CNY" },
  };
  return snapshotOf(await ask(api, { method: "POST", path: refunds, body, changes: true, paysOut: true }), refund, true);
}

/** Queries the refund with our number. WeChat Pay finds none by its own number, and an address without a number is none of its API. */
export async function queryRefund(api: MerchantApi, key: RefundKey): Promise<RefundSnapshot> {
  if (key.refundReference === "")
    throw new GatewayError("invalid", { code: "no_reference", message: "WeChat Pay is only asked about refunds by our number." });
  const path = `${refunds}/${encodeURIComponent(key.refundReference)}`;
  return snapshotOf(await ask(api, { method: "GET", path, changes: false }), key, false);
}

function snapshotOf(
  { wire, requestId }: Answered,
  { reference, refundReference }: RefundKey | NewGatewayRefund,
  changes: boolean,
): RefundSnapshot {
  const snapshot = wire === null ? null : readRefund(wire, "status");
  if (snapshot === null || snapshot.refundReference !== refundReference || text(wire ?? {}, "out_trade_no") !== reference) {
    throw malformedAnswer(changes, requestId);
  }
  return snapshot;
}

/** A refund from a response (`status`) or a callback (`refund_status`); null if it isn't one. */
export function readRefund(wire: Wire, stateField: "status" | "refund_status"): RefundSnapshot | null {
  const providerState = text(wire, stateField) ?? "";
  const state = refundStates[providerState];
  const refundReference = text(wire, "out_refund_no");
  const amount = amountIn(inner(wire, "amount"), "refund");
  if (state === undefined || refundReference === null || amount === null) return null;
  const failure = state === "failed" ? { code: providerState, message: failures[providerState] ?? "" } : null;
  return { refundReference, providerRefundId: text(wire, "refund_id"), state, amount, claimUrl: null, providerState, failure };
}

const failures: Readonly<Record<string, string>> = {
  ABNORMAL: "The buyer's bank did not take the refund: decide at WeChat Pay (交易中心 → 退款管理) where the money goes.",
  CLOSED: "WeChat Pay closed the refund without paying it out.",
};
