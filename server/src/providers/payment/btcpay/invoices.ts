import {
  type CreatedPayment,
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
} from "#gateways/index.ts";
import { callServer } from "./call-server.ts";
import type { BtcpayCredentials } from "./credentials.ts";
import { manifest } from "./manifest.ts";
import { holdsMoney, needsPayments, nothingReceived, snapshotOf } from "./states.ts";
import { decimalOf, type Invoice, type Received, readInvoice, readReceived } from "./wire.ts";

/**
 * Returns the invoices of a reference, the one that counts first: with money before without, open before ended, older before newer. There
 * is more than one only if a request was carried out long after its caller timed out.
 */
export async function findInvoices(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  { reference, providerId }: PaymentKey,
): Promise<Invoice[]> {
  const path = `/stores/${credentials.storeId}/invoices?orderId=${encodeURIComponent(reference)}&includeArchived=true`;
  const list = await callServer(call, credentials, { method: "GET", path, changes: false });
  if (!Array.isArray(list)) throw malformedAnswer(false);
  const found = list.map((one) => readInvoice(one) ?? refuse()).filter((one) => one.reference === reference);
  const isMissing = providerId !== null && found.every(({ id }) => id !== providerId);
  const named = isMissing ? await findById(call, credentials, providerId) : null;
  const rank = (invoice: Invoice) => (invoice.status === "Settled" ? 0 : holdsMoney(invoice) ? 1 : invoice.status === "New" ? 2 : 3);
  return [...found, ...(named === null ? [] : [named])].sort((one, other) => rank(one) - rank(other) || one.createdAt - other.createdAt);
}

function refuse(): never {
  throw malformedAnswer(false);
}

/** Uses the path that every version has, and the path of later versions if a server no longer knows it. */
async function findById(call: GatewayCall, credentials: BtcpayCredentials, id: string): Promise<Invoice | null> {
  const name = encodeURIComponent(id);
  for (const path of [`/stores/${credentials.storeId}/invoices/${name}`, `/invoices/${name}`]) {
    try {
      return readInvoice(await callServer(call, credentials, { method: "GET", path, changes: false })) ?? refuse();
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== "not_found") throw error;
      if (error.code === "invoice-not-found") return null;
    }
  }
  return null;
}

/** A payment's state by its invoice, and by its payments if the invoice alone doesn't say. */
export async function readSnapshot(call: GatewayCall, credentials: BtcpayCredentials, invoice: Invoice): Promise<PaymentSnapshot> {
  return snapshotOf(invoice, await findReceived(call, credentials, invoice));
}

/** What arrived on an invoice that is over; nothing yet on any other. */
export async function findReceived(call: GatewayCall, credentials: BtcpayCredentials, invoice: Invoice): Promise<Received> {
  if (!needsPayments(invoice)) return nothingReceived;
  const path = `/stores/${credentials.storeId}/invoices/${encodeURIComponent(invoice.id)}/payment-methods`;
  const received = readReceived(await callServer(call, credentials, { method: "GET", path, changes: false }));
  return received ?? refuse();
}

/** Creates an invoice, or returns the existing one: the server itself would create another. */
export async function createInvoice(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  payment: NewGatewayPayment,
): Promise<CreatedPayment> {
  const { reference, amount } = payment;
  const price = decimalOf(amount);
  const [known] = await findInvoices(call, credentials, { reference, providerId: null });
  if (known !== undefined) return payable(payment, known, await readSnapshot(call, credentials, known));
  const seconds = Math.floor((payment.expiresAt.getTime() - call.now().getTime()) / 1_000);
  const { minSeconds, maxSeconds } = manifest.lifetime;
  const made = await callServer(call, credentials, {
    method: "POST",
    path: `/stores/${credentials.storeId}/invoices`,
    body: {
      amount: price,
      currency: amount.currency,
      metadata: { orderId: reference, itemDesc: payment.title, details: payment.metadata },
      checkout: {
        expirationMinutes: Math.floor(Math.min(Math.max(seconds, minSeconds), maxSeconds) / 60),
        // Otherwise the store's own tolerance would accept less than the full amount as paid.
        paymentTolerance: 0,
        redirectURL: payment.returnUrl,
        redirectAutomatically: true,
      },
    },
    changes: true,
  });
  const invoice = readInvoice(made);
  if (invoice === null || invoice.reference !== reference) throw malformedAnswer(true);
  return payable(payment, invoice, snapshotOf(invoice, nothingReceived));
}

function payable({ amount, expiresAt }: NewGatewayPayment, invoice: Invoice, snapshot: PaymentSnapshot): CreatedPayment {
  if (invoice.requested.amount_minor !== amount.amount_minor || invoice.requested.currency !== amount.currency) {
    throw new GatewayError("conflict", { code: "other_amount", message: "An invoice with this reference has a different amount." });
  }
  if (snapshot.state !== "pending") {
    const isPaid = snapshot.state === "succeeded" || snapshot.state === "processing";
    throw new GatewayError(isPaid ? "already_paid" : "conflict", {
      code: `invoice_${snapshot.state}`,
      message: "The invoice with this reference is no longer open.",
    });
  }
  if (invoice.checkoutLink === null) throw malformedAnswer(true);
  const endsEarlier = invoice.expiresAt !== null && invoice.expiresAt < expiresAt;
  return { ...snapshot, action: { type: "redirect", url: invoice.checkoutLink }, actionExpiresAt: endsEarlier ? invoice.expiresAt : null };
}

/** Queries a payment. Throws kind `not_found` if the store has no invoice with its reference. */
export async function queryInvoice(call: GatewayCall, credentials: BtcpayCredentials, key: PaymentKey): Promise<PaymentSnapshot> {
  const [invoice] = await findInvoices(call, credentials, key);
  if (invoice === undefined)
    throw new GatewayError("not_found", { code: "invoice-not-found", message: "The store has no invoice with this reference." });
  return readSnapshot(call, credentials, invoice);
}

/** Marks every open, unpaid invoice of a payment as invalid. Coins that are sent to its address anyway are reported as a late payment. */
export async function closeInvoices(
  call: GatewayCall,
  credentials: BtcpayCredentials,
  key: PaymentKey,
): Promise<"closed" | "already_paid" | "absent"> {
  const invoices = await findInvoices(call, credentials, key);
  if (invoices.length === 0) return "absent";
  let isPaid = invoices.some(holdsMoney);
  for (const invoice of invoices.filter((one) => one.status === "New" && !holdsMoney(one))) {
    if (holdsMoney(await markInvalid(call, credentials, invoice))) isPaid = true;
  }
  return isPaid ? "already_paid" : "closed";
}

/** Returns the invoice afterwards. The server refuses to mark one that was paid in the meantime. */
async function markInvalid(call: GatewayCall, credentials: BtcpayCredentials, { id }: Invoice): Promise<Invoice> {
  const path = `/stores/${credentials.storeId}/invoices/${encodeURIComponent(id)}/status`;
  try {
    const marked = readInvoice(await callServer(call, credentials, { method: "POST", path, body: { status: "Invalid" }, changes: true }));
    if (marked === null) throw malformedAnswer(true);
    return marked;
  } catch (error) {
    const now = error instanceof GatewayError && error.kind === "invalid" ? await findById(call, credentials, id) : null;
    if (now === null || now.status === "New") throw error;
    return now;
  }
}
