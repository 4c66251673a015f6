import type { GatewayAmount, PaymentSnapshot, PaymentState } from "#gateways/index.ts";
import type { Invoice, Received } from "./wire.ts";

/** Before a payment arrived, and for invoices that can't have one. */
export const nothingReceived: Received = { isConfirmed: false, isWaiting: false, at: null };

/** Whether an invoice can still be paid, or waits until its payments are confirmed. */
export function isOpen({ status }: Pick<Invoice, "status">): boolean {
  return status === "New" || status === "Processing";
}

/**
 * Whether an invoice is over, so that only its payments show what arrived: late money doesn't change the state of an expired or closed
 * invoice.
 */
export function needsPayments({ status, exception, paid }: Invoice): boolean {
  if (isOpen({ status })) return false;
  return status === "Settled" || exception === "PaidLate" || exception === "PaidPartial" || paid === null || paid.amount_minor > 0;
}

/** Whether something was paid on an invoice, confirmed or not; an old version that reports no amount shows it by its states. */
export function holdsMoney({ status, exception, paid }: Invoice): boolean {
  return (
    status === "Settled" ||
    status === "Processing" ||
    (paid?.amount_minor ?? 0) > 0 ||
    ["PaidLate", "PaidPartial", "PaidOver"].includes(exception)
  );
}

/** Combines an invoice and its payments. A merchant's manual mark moves no money, and unconfirmed money isn't paid. */
export function snapshotOf(invoice: Invoice, received: Received): PaymentSnapshot {
  const money = confirmedMoney(invoice, received);
  const state = stateOf(invoice, received, money);
  return {
    reference: invoice.reference,
    providerId: invoice.id,
    captureId: null,
    state,
    asked: invoice.requested,
    paid: state === "pending" || state === "processing" ? null : money,
    refunded: null,
    fee: null,
    paidAt: state === "succeeded" ? received.at : null,
    providerState: invoice.exception === "None" ? invoice.status : `${invoice.status} (${invoice.exception})`,
    livemode: null,
    account: invoice.storeId,
    failure: failureOf(invoice, state),
  };
}

function confirmedMoney({ status, exception, requested, paid }: Invoice, { isConfirmed }: Received): GatewayAmount | null {
  if (!isConfirmed) return null;
  // The server considers it exact: any excess is less than the smallest unit of a coin.
  const isExact = status === "Settled" && exception === "None" && (paid === null || paid.amount_minor >= requested.amount_minor);
  if (isExact || (paid === null && (exception === "PaidLate" || exception === "PaidOver"))) return requested;
  return paid === null || paid.amount_minor === 0 ? null : paid;
}

function stateOf({ status, exception, requested }: Invoice, { isWaiting }: Received, money: GatewayAmount | null): PaymentState {
  if (status === "New") return "pending";
  if (status === "Processing") return "processing";
  if (money !== null && (money.amount_minor >= requested.amount_minor || (status === "Settled" && exception !== "Marked")))
    return "succeeded";
  if (isWaiting || (status === "Settled" && exception !== "Marked")) return "processing";
  if (status === "Expired") return "expired";
  return status === "Invalid" && exception === "Marked" ? "canceled" : "failed";
}

function failureOf({ status }: Invoice, state: PaymentState): PaymentSnapshot["failure"] {
  if (state !== "failed") return null;
  return status === "Settled"
    ? { code: "marked_settled", message: "Marked as settled manually in BTCPay Server, although the money wasn't received." }
    : { code: "not_confirmed", message: "The payment wasn't confirmed in time." };
}
