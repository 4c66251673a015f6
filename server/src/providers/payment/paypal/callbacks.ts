import {
  at,
  type CallbackHint,
  type CallbackReport,
  type DisputeSnapshot,
  type GatewayAmount,
  type GatewayCall,
  GatewayError,
  listAt,
  malformedAnswer,
  type RawCallback,
  textAt,
} from "#gateways/index.ts";
import { ask, type Credentials } from "./client.ts";
import { findRefund } from "./refunds.ts";
import { dateAt, linkOf, moneyAt } from "./wire.ts";

/** An event as PayPal sends it. */
interface PayPalEvent {
  id: string;
  type: string;
  resource: unknown;
}

/** The event in the body of a callback; null if the bytes aren't a PayPal event. */
export function readEvent(body: Buffer): PayPalEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return null;
  }
  const [id, type, resource] = [textAt(value, "id"), textAt(value, "event_type"), at(value, "resource")];
  if (id === null || id.length > 100 || type === null || type.length > 100 || typeof resource !== "object" || resource === null)
    return null;
  return { id, type, resource };
}

/** The account that an unverified callback claims. Not every merchant entered PayPal's account id, so only the payment is used. */
export function hintOf(callback: RawCallback): CallbackHint | null {
  const event = readEvent(callback.body);
  return event === null ? null : { account: null, keyId: null, ...keyOf(event) };
}

/** The payment of an event. Orders, captures, refunds and disputes all have our reference. */
function keyOf({ type, resource }: PayPalEvent): { reference: string | null; providerId: string | null } {
  const isOrder = type.startsWith("CHECKOUT.ORDER.");
  return {
    reference:
      textAt(resource, "custom_id") ??
      textAt(resource, "purchase_units", 0, "custom_id") ??
      textAt(listAt(resource, "disputed_transactions")[0], "custom"),
    providerId: isOrder
      ? textAt(resource, "id")
      : (textAt(resource, "supplementary_data", "related_ids", "order_id") ?? textAt(resource, "order_id")),
  };
}

const paymentEvents = /^(CHECKOUT\.ORDER\.(APPROVED|COMPLETED|VOIDED)|CHECKOUT\.PAYMENT-APPROVAL\.REVERSED|PAYMENT\.CAPTURE\.[A-Z]{1,30})$/;
const refundEvents = /^PAYMENT\.(CAPTURE\.REFUNDED|REFUND\.[A-Z]{1,30})$/;

/**
 * What a verified event reports. Refunds and disputes are queried by the event's id, because PayPal's signature doesn't protect the rest of
 * it well enough.
 */
export async function reportedBy(call: GatewayCall, credentials: Credentials, event: PayPalEvent): Promise<CallbackReport> {
  if (refundEvents.test(event.type)) return refundReport(call, credentials, event);
  if (/^CUSTOMER\.DISPUTE\.[A-Z]{1,30}$/.test(event.type)) return disputeReport(call, credentials, event);
  const about = keyOf(event);
  const isKnown = about.reference !== null || about.providerId !== null;
  return isKnown && paymentEvents.test(event.type) ? { kind: "ask", about } : { kind: "nothing" };
}

async function refundReport(call: GatewayCall, credentials: Credentials, { resource }: PayPalEvent): Promise<CallbackReport> {
  const id = textAt(resource, "id");
  const captureId = /\/v2\/payments\/captures\/([A-Z0-9]{1,40})$/.exec(linkOf(resource, ["up"]) ?? "")?.[1];
  if (id === null || captureId === undefined) return { kind: "nothing" };
  return ignoringUnknown(async () => ({ kind: "refund", payment: { captureId }, refund: await findRefund(call, credentials, id) }));
}

async function disputeReport(call: GatewayCall, credentials: Credentials, { resource }: PayPalEvent): Promise<CallbackReport> {
  const id = textAt(resource, "dispute_id");
  if (id === null) return { kind: "nothing" };
  return ignoringUnknown(async () => {
    const path = `/v1/customer/disputes/${encodeURIComponent(id)}`;
    const dispute = await ask(call, credentials, { method: "GET", path }).catch((error: unknown) => {
      // An app may lack the permission to read disputes, but a dispute must be reported all the same.
      if (error instanceof GatewayError && error.kind === "auth") return resource;
      throw error;
    });
    return { kind: "dispute", dispute: disputeOf(dispute) };
  });
}

async function ignoringUnknown(read: () => Promise<CallbackReport>): Promise<CallbackReport> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return { kind: "nothing" };
    throw error;
  }
}

/** Outcomes that leave the money with the merchant, or return it. */
const wonOutcomes: ReadonlySet<string> = new Set(["RESOLVED_SELLER_FAVOUR", "RESOLVED_WITH_PAYOUT", "CANCELED_BY_BUYER", "DENIED"]);

/** A dispute in PayPal's format. */
function disputeOf(dispute: unknown): DisputeSnapshot {
  const transaction = listAt(dispute, "disputed_transactions")[0];
  const providerDisputeId = textAt(dispute, "dispute_id");
  const amount = moneyAt(dispute, "dispute_amount") ?? moneyAt(transaction, "gross_amount");
  const occurredAt = dateAt(dispute, "update_time") ?? dateAt(dispute, "create_time");
  if (providerDisputeId === null || amount === null || occurredAt === null) throw malformedAnswer(false);
  const refunded = moneyAt(dispute, "dispute_outcome", "amount_refunded");
  const state = disputeStateOf(dispute, refunded);
  const back = state === "lost" && refunded?.currency === amount.currency ? refunded : null;
  const createdAt = dateAt(dispute, "create_time");
  return {
    providerDisputeId,
    payment: { reference: textAt(transaction, "custom"), providerId: null, captureId: textAt(transaction, "seller_transaction_id") },
    state,
    // The buyer may have accepted a part of it. PayPal counts what the merchant refunded during the case.
    amount: back ?? amount,
    ...(back === null || createdAt === null ? {} : { refundedSince: createdAt }),
    reason: textAt(dispute, "reason"),
    occurredAt,
  };
}

/** A case that was never escalated has taken no money: the merchant refunded the buyer, and that refund is reported as one. */
function disputeStateOf(dispute: unknown, refunded: GatewayAmount | null): DisputeSnapshot["state"] {
  const isInquiry = textAt(dispute, "dispute_life_cycle_stage") === "INQUIRY";
  const outcome = textAt(dispute, "dispute_outcome", "outcome_code");
  if (textAt(dispute, "status") === "RESOLVED") {
    if (isInquiry || refunded?.amount_minor === 0 || (outcome !== null && wonOutcomes.has(outcome))) return "won";
    // If PayPal reports no outcome, the amount refunded to the buyer decides.
    return outcome === "NONE" && refunded === null ? "won" : "lost";
  }
  return isInquiry ? "inquiry" : "opened";
}
