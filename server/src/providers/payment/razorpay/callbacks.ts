import {
  at,
  type CallbackHint,
  type CallbackReport,
  type DisputeSnapshot,
  GatewayError,
  malformedAnswer,
  type RawCallback,
  textAt,
} from "#gateways/index.ts";
import { amountOf, notes, refundOf, snapshotOf, timeOf } from "./wire.ts";

/** An event as Razorpay sends it. */
interface RazorpayEvent {
  type: string;
  /** `acc_` and the merchant's id. */
  account: string | null;
  createdAt: Date | null;
  payload: unknown;
}

/** The event in the body of a callback; null if the bytes aren't a Razorpay event. */
export function readEvent(body: Buffer): RazorpayEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return null;
  }
  const [type, payload] = [textAt(value, "event"), at(value, "payload")];
  if (type === null || type.length > 100 || typeof payload !== "object" || payload === null) return null;
  return { type, account: textAt(value, "account_id"), createdAt: timeOf(at(value, "created_at")), payload };
}

/** The account that an unverified callback claims. */
export function hintOf(callback: RawCallback): CallbackHint | null {
  const event = readEvent(callback.body);
  return event === null ? null : { account: event.account, keyId: null, ...keyOf(event) };
}

/** The payment of an event: its link has our reference, and so do the notes of whatever was paid with it. */
function keyOf({ payload }: RazorpayEvent): { reference: string | null; providerId: string | null } {
  return {
    reference:
      textAt(payload, "payment_link", "entity", "reference_id") ??
      textAt(payload, "payment", "entity", "notes", notes.reference) ??
      textAt(payload, "refund", "entity", "notes", notes.reference),
    providerId: textAt(payload, "payment_link", "entity", "id"),
  };
}

/** What a verified event reports. Events arrive in any order, so all except the final ones only trigger a query. */
export function reportedBy(event: RazorpayEvent): CallbackReport {
  try {
    return read(event);
  } catch (error) {
    // Refusing an unreadable event wouldn't help, and Razorpay disables a webhook that is refused for a day.
    if (error instanceof GatewayError) return queryReport(event);
    throw error;
  }
}

function read(event: RazorpayEvent): CallbackReport {
  const { type } = event;
  if (type === "payment_link.paid") return paidReport(event);
  if (/^refund\.(created|processed|failed)$/.test(type)) return refundReport(event);
  if (type.startsWith("payment.dispute.")) return { kind: "dispute", dispute: disputeOf(event) };
  return /^(payment_link\.[a-z_]{1,40}|payment\.(authorized|captured|failed))$/.test(type) ? queryReport(event) : { kind: "nothing" };
}

function queryReport(event: RazorpayEvent): CallbackReport {
  const about = keyOf(event);
  return (about.reference ?? about.providerId) === null ? { kind: "nothing" } : { kind: "ask", about };
}

function paidReport(event: RazorpayEvent): CallbackReport {
  const payment = at(event.payload, "payment", "entity");
  // Without the payment, the link only says that it's paid, not by what.
  if (textAt(payment, "status") !== "captured") return queryReport(event);
  return { kind: "payment", payment: { ...snapshotOf(at(event.payload, "payment_link", "entity"), [payment]), account: event.account } };
}

function refundReport(event: RazorpayEvent): CallbackReport {
  const { payload } = event;
  // Razorpay's own refund of what it never captured: the merchant had no money that could go back.
  if (at(payload, "payment", "entity", "captured") === false) return queryReport(event);
  const refund = at(payload, "refund", "entity");
  const captureId = textAt(refund, "payment_id");
  return captureId === null ? { kind: "nothing" } : { kind: "refund", payment: { captureId }, refund: refundOf(refund) };
}

/** A dispute in Razorpay's format. Razorpay takes the money when the dispute is lost, and leaves it with the merchant until then. */
function disputeOf({ payload, createdAt }: RazorpayEvent): DisputeSnapshot {
  const dispute = at(payload, "dispute", "entity");
  const [providerDisputeId, status] = [textAt(dispute, "id"), textAt(dispute, "status")];
  const amount = amountOf(at(dispute, "amount"), textAt(dispute, "currency"));
  const occurredAt = createdAt ?? timeOf(at(dispute, "created_at"));
  if (providerDisputeId === null || amount === null || occurredAt === null) throw malformedAnswer(false);
  const isTaken = Number(at(dispute, "amount_deducted") ?? 0) > 0;
  const isOver = status === "won" || status === "lost" || status === "closed";
  return {
    providerDisputeId,
    payment: {
      reference: textAt(payload, "payment", "entity", "notes", notes.reference),
      providerId: null,
      captureId: textAt(dispute, "payment_id"),
    },
    state: !isOver ? (isTaken ? "opened" : "inquiry") : status === "lost" || (status === "closed" && isTaken) ? "lost" : "won",
    amount,
    reason: textAt(dispute, "reason_code"),
    occurredAt,
  };
}
