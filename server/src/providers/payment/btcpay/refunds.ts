import {
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayRefund,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { callServer } from "./call-server.ts";
import type { BtcpayCredentials } from "./credentials.ts";
import { findInvoices, findReceived } from "./invoices.ts";
import { archiveOthers, claimsOf, countGiven, invoiceIn, listPullPayments, settleName } from "./pull-payments.ts";
import { holdsMoney, isOpen, snapshotOf as paymentOf } from "./states.ts";
import { type Claims, decimalOf, type Invoice, type PullPayment, readPullPayment } from "./wire.ts";

/**
 * Creates a pull payment with the refund's name, from which the buyer claims the money. The server would create another each time and for
 * any amount, so the payment's existing ones are checked first.
 */
export async function refundPayment(call: GatewayCall, credentials: BtcpayCredentials, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const { reference, refundReference, amount, total } = refund;
  const price = decimalOf(amount);
  const all = await listPullPayments(call, credentials);
  const known = await settleName(call, credentials, { all, name: refundReference });
  if (known !== null) {
    if (known.amount?.amount_minor === amount.amount_minor && known.amount.currency === amount.currency)
      return readSnapshot(call, credentials, known);
    throw new GatewayError("conflict", { code: "other_amount", message: "A refund with this reference has a different amount." });
  }
  const invoices = await findInvoices(call, credentials, refund);
  const ofPayment = all.filter(
    ({ name, description }) => description?.includes(reference) === true || invoices.some(({ id }) => id === invoiceIn(name)),
  );
  const before = await countGiven(call, credentials, { ofPayment, currency: amount.currency });
  if (before + amount.amount_minor > total.amount_minor) throw exceedsPaid();
  const holding = invoices.filter(holdsMoney);
  const [paid] = holding;
  if (paid === undefined)
    throw new GatewayError("not_found", { code: "invoice-not-found", message: "The store has no paid invoice with this reference." });
  // Coins that were accepted unconfirmed may have been spent elsewhere since.
  const now = await sumPaid(call, credentials, { holding, currency: amount.currency });
  if (before + amount.amount_minor > now.paidMinor) throw now.isWaiting ? waitsForCoins() : exceedsPaid();
  const made = await callServer(call, credentials, {
    method: "POST",
    path: `/stores/${credentials.storeId}/invoices/${encodeURIComponent(paid.id)}/refund`,
    body: {
      name: refundReference,
      description: describe(refund),
      refundVariant: "Custom",
      customAmount: price,
      customCurrency: amount.currency,
    },
    changes: true,
  });
  const pullPayment = readPullPayment(made);
  if (pullPayment === null || pullPayment.name !== refundReference) throw malformedAnswer(true);
  return snapshotOf({ call, pullPayment, claims: { completed: null, isOpen: false } });
}

function exceedsPaid(): GatewayError {
  return new GatewayError("declined", { code: "refund_exceeds_paid", message: "The refunds of this payment would exceed what was paid." });
}

/** How long a refund waits for unconfirmed coins before it is requested again. */
const confirmationSeconds = 600;

/** The server reports the sum of an invoice with its unconfirmed coins, so it is only known once they are confirmed or spent elsewhere. */
function waitsForCoins(): GatewayError {
  const message = "More was paid on this invoice and isn't confirmed yet. The refund is made once it is.";
  return new GatewayError("rate_limited", { code: "payment_unconfirmed", message, retryAfter: confirmationSeconds, isBusy: true });
}

/** What the server now says was paid on the invoices of a payment, of those whose coins are all confirmed; whether others aren't yet. */
async function sumPaid(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { holding, currency }: { holding: readonly Invoice[]; currency: string },
): Promise<{ paidMinor: number; isWaiting: boolean }> {
  const sum = { paidMinor: 0, isWaiting: false };
  for (const invoice of holding) {
    const received = await findReceived(call, credentials, invoice);
    const { paid } = paymentOf(invoice, received);
    if (paid?.currency === currency) sum.paidMinor += paid.amount_minor;
    if (isOpen(invoice) || received.isWaiting) sum.isWaiting = true;
  }
  return sum;
}

/** Shown as HTML on the page where the buyer claims the refund; its reference says which payment the refund belongs to. */
function describe({ reference, reason }: NewGatewayRefund): string {
  const escaped = (reason ?? "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return escaped === "" ? reference : `${escaped} (${reference})`;
}

/**
 * Queries a refund by its id or its name. Throws kind `not_found` if there isn't one. One that a person made in the server has no name of
 * ours, and may share its name with others, which each count.
 */
export async function queryRefund(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { refundReference, providerRefundId }: RefundKey,
): Promise<RefundSnapshot> {
  if (providerRefundId !== null) {
    const path = `/pull-payments/${encodeURIComponent(providerRefundId)}`;
    const found = readPullPayment(await callServer(call, credentials, { method: "GET", path, changes: false }));
    if (found === null || (refundReference !== "" && found.name !== refundReference)) throw malformedAnswer(false);
    if (refundReference !== "") await archiveOthers(call, credentials, found);
    return readSnapshot(call, credentials, found);
  }
  const all = await listPullPayments(call, credentials);
  const found = await settleName(call, credentials, { all, name: refundReference });
  if (found === null)
    throw new GatewayError("not_found", { code: "pullpayment-not-found", message: "The store has no pull payment with this name." });
  return readSnapshot(call, credentials, found);
}

async function readSnapshot(call: GatewayCall, credentials: BtcpayCredentials, pullPayment: PullPayment): Promise<RefundSnapshot> {
  return snapshotOf({ call, pullPayment, claims: await claimsOf(call, credentials, pullPayment) });
}

/** Paid once the buyer's claimed payouts are completed; failed if the merchant archived it before any was. */
function snapshotOf({ call, pullPayment, claims }: { call: GatewayCall; pullPayment: PullPayment; claims: Claims }): RefundSnapshot {
  const { id, name, amount, isArchived } = pullPayment;
  const isWhole = amount !== null && (claims.completed?.amount_minor ?? 0) >= amount.amount_minor;
  const base = { refundReference: invoiceIn(name) === null ? name : null, providerRefundId: id, amount, claimUrl: null, failure: null };
  if (isWhole) return { ...base, state: "succeeded", providerState: "Completed" };
  if (claims.isOpen) return { ...base, state: "pending", providerState: "Claimed" };
  if (!isArchived)
    return {
      ...base,
      state: "requires_action",
      providerState: "Active",
      claimUrl: pullPayment.claimUrl ?? `${call.baseUrl}/pull-payments/${id}`,
    };
  if (claims.completed !== null) return { ...base, state: "succeeded", amount: claims.completed, providerState: "Archived, paid in part" };
  return {
    ...base,
    state: "failed",
    providerState: "Archived",
    failure: { code: "archived", message: "The pull payment was archived before it was claimed." },
  };
}
