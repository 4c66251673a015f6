import type { SimulatedOutcome, SimulatorWorld } from "#gateways/index.ts";
import { paidOn, type SimulatedInvoice, saveInvoice, secondsNow } from "./store.ts";
import { noteEvent, sendNewest } from "./webhooks.ts";

/** Possible outcomes of an invoice. Buyers send coins, so they can't be declined; a payment may fail to be confirmed. */
export const outcomes = [
  "paid",
  "processing",
  "underpaid",
  "overpaid",
  "expired",
  "late",
  "declined",
  "silent",
  "duplicate",
  "out_of_order",
] as const satisfies readonly SimulatedOutcome[];

export type Outcome = (typeof outcomes)[number];

/** Applies what the buyer or the chain does. Throws if it can no longer happen. */
export async function happen(world: SimulatorWorld, invoice: SimulatedInvoice, outcome: Outcome): Promise<void> {
  if (outcome === "late") return payLate(world, invoice);
  const isWaiting = invoice.status === "Processing" && (outcome === "paid" || outcome === "declined");
  if (invoice.status !== "New" && !isWaiting) throw new Error("this invoice is no longer open");
  if (outcome === "expired") return sendEvents(world, await saveInvoice(world, expired(world, invoice)), ["InvoiceExpired"]);
  if (outcome === "declined")
    return failToConfirm(world, isWaiting ? invoice : await receive(world, invoice, { value: invoice.price, isConfirmed: false }));
  if (isWaiting) return settle(world, invoice, "paid");
  if (outcome === "underpaid") {
    const paid = await receive(world, invoice, { value: Math.ceil(invoice.price / 20_000) * 10_000, isConfirmed: true });
    const over = await saveInvoice(world, { ...expired(world, paid), exception: "PaidPartial" });
    return sendEvents(world, over, ["InvoiceExpired", "InvoiceExpiredPaidPartial"]);
  }
  const value = outcome === "overpaid" ? invoice.price + 10_000 : invoice.price;
  const paid = await receive(world, invoice, { value, isConfirmed: false });
  const processing = await saveInvoice(world, { ...paid, status: "Processing", exception: outcome === "overpaid" ? "PaidOver" : "None" });
  if (outcome === "processing") return sendEvents(world, processing, ["InvoiceReceivedPayment", "InvoiceProcessing"]);
  await settle(world, processing, outcome);
}

function expired(world: SimulatorWorld, invoice: SimulatedInvoice): SimulatedInvoice {
  return { ...invoice, status: "Expired", expiresAt: Math.min(invoice.expiresAt, secondsNow(world)) };
}

async function receive(
  world: SimulatorWorld,
  invoice: SimulatedInvoice,
  { value, isConfirmed }: { value: number; isConfirmed: boolean },
): Promise<SimulatedInvoice> {
  const payment = {
    id: `${world.token(40)}-0`,
    value,
    at: secondsNow(world),
    status: isConfirmed ? ("Settled" as const) : ("Processing" as const),
  };
  return saveInvoice(world, { ...invoice, payments: [...invoice.payments, payment] });
}

async function settle(world: SimulatorWorld, invoice: SimulatedInvoice, outcome: Outcome): Promise<void> {
  const payments = invoice.payments.map((payment) => ({ ...payment, status: "Settled" as const }));
  const settled = await saveInvoice(world, { ...invoice, payments, status: "Settled" });
  const last = { type: "InvoiceSettled", more: { manuallyMarked: false, overPaid: invoice.exception === "PaidOver" } };
  if (outcome === "silent") {
    await noteEvent(world, settled, last);
    return;
  }
  const noted = await noteEvent(world, settled, last);
  for (let sent = 0; sent < (outcome === "duplicate" ? 3 : 1); sent += 1) await sendNewest(world, noted);
  if (outcome === "out_of_order") await sendEvents(world, noted, ["InvoiceReceivedPayment"]);
}

/** The payment was replaced by another, or was never included in a block. */
async function failToConfirm(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<void> {
  const payments = invoice.payments.map((payment) => ({ ...payment, status: "Invalid" as const }));
  await sendEvents(world, await saveInvoice(world, { ...invoice, payments, status: "Invalid", exception: "None" }), ["InvoiceInvalid"]);
}

/** Coins are sent to the address of an invoice that is over: its status doesn't change. */
async function payLate(world: SimulatorWorld, invoice: SimulatedInvoice): Promise<void> {
  const over = invoice.status === "New" ? expired(world, invoice) : invoice;
  if ((over.status !== "Expired" && over.status !== "Invalid") || paidOn(over) >= over.price)
    throw new Error("this invoice cannot be paid late");
  const paid = await receive(world, over, { value: over.price - paidOn(over), isConfirmed: true });
  const late = await saveInvoice(world, { ...paid, exception: over.status === "Expired" ? "PaidLate" : over.exception });
  await sendEvents(world, late, ["InvoiceReceivedPayment", "InvoicePaidAfterExpiration", "InvoicePaymentSettled"]);
}

async function sendEvents(world: SimulatorWorld, invoice: SimulatedInvoice, types: readonly string[]): Promise<void> {
  let noted = invoice;
  for (const type of types) {
    noted = await noteEvent(world, noted, {
      type,
      more: type === "InvoiceExpired" ? { partiallyPaid: invoice.exception === "PaidPartial" } : {},
    });
    await sendNewest(world, noted);
  }
}
