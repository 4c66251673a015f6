import type { CallbackHint, CallbackReport, CallbackVerdict, RawCallback } from "#gateways/index.ts";
import type { StripeCredentials } from "./credentials.ts";
import { refusalOf } from "./signature.ts";
import { disputeOf, idOf, metadataOf, paymentOf, readObjectOf, referenceKey, refundOf, textOf, timeOf } from "./wire.ts";

interface StripeEvent {
  id: string;
  type: string;
  livemode: boolean;
  created: Date | null;
  /** The account that it happened in, for platforms that receive events of connected accounts. */
  account: string | null;
  object: Record<string, unknown>;
}

/** Verifies a callback and returns what it reports. */
export function verifyCallback({ webhookSecret, livemode }: StripeCredentials, callback: RawCallback): CallbackVerdict {
  if (webhookSecret === null) return { ok: false, reason: "unknown_key" };
  const refusal = refusalOf(callback.headers["stripe-signature"], { body: callback.body, secret: webhookSecret, at: callback.receivedAt });
  if (refusal !== null) return { ok: false, reason: refusal };
  const event = readEvent(callback.body);
  if (event === null) return { ok: false, reason: "malformed" };
  if (event.livemode !== livemode) return { ok: false, reason: "unsupported" };
  return { ok: true, dedupeKey: event.id, event: event.type, report: event.account === null ? reportedBy(event) : { kind: "nothing" } };
}

/** The account that an unverified event claims. */
export function hintOf(callback: RawCallback): CallbackHint | null {
  const event = readEvent(callback.body);
  if (event === null) return null;
  const session = readObjectOf(event.object, "checkout.session");
  const reference = textOf(session?.["client_reference_id"]) ?? metadataOf(event.object, referenceKey);
  return { account: null, keyId: null, reference, providerId: textOf(session?.["id"]) };
}

function readEvent(body: Buffer): StripeEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  const event = readObjectOf(value, "event");
  const data = event?.["data"];
  const object = typeof data === "object" && data !== null ? (data as Record<string, unknown>)["object"] : null;
  const id = textOf(event?.["id"]);
  const type = textOf(event?.["type"]);
  if (event === null || id === null || type === null || typeof object !== "object" || object === null) return null;
  return {
    id,
    type,
    livemode: event["livemode"] === true,
    created: timeOf(event["created"]),
    account: textOf(event["account"]),
    object: object as Record<string, unknown>,
  };
}

function reportedBy(event: StripeEvent): CallbackReport {
  if (event.type.startsWith("checkout.session.")) return sessionReport(event);
  if (event.type.startsWith("charge.dispute.")) return disputeReport(event);
  // `charge.refund.updated` is the older name of `refund.updated`; both may be sent.
  if (event.type.startsWith("refund.") || event.type === "charge.refund.updated") return refundReport(event);
  const reference = metadataOf(event.object, referenceKey);
  if (event.type === "charge.refunded" && reference !== null) return { kind: "ask", about: { reference, providerId: null } };
  return { kind: "nothing" };
}

/** Only sessions that we created have a reference: the endpoint may receive others of the same account. */
function sessionReport({ type, object, created }: StripeEvent): CallbackReport {
  const session = readObjectOf(object, "checkout.session");
  const reference = textOf(session?.["client_reference_id"]);
  if (session === null || reference === null || metadataOf(session, referenceKey) !== reference) return { kind: "nothing" };
  const payment = paymentOf(session);
  if (payment === null) return { kind: "ask", about: { reference, providerId: textOf(session["id"]) } };
  if (type === "checkout.session.async_payment_failed" && payment.state === "processing") {
    // The session itself doesn't say that its payment failed; only its intent has the reason.
    return { kind: "ask", about: { reference, providerId: payment.providerId } };
  }
  return { kind: "payment", payment: payment.state === "succeeded" ? { ...payment, paidAt: created } : payment };
}

function refundReport({ object }: StripeEvent): CallbackReport {
  const refund = readObjectOf(object, "refund");
  const snapshot = refund === null ? null : refundOf(refund);
  const captureId = idOf(refund?.["payment_intent"]);
  if (refund === null || snapshot === null || captureId === null) return { kind: "nothing" };
  const reference = metadataOf(refund, referenceKey);
  return { kind: "refund", payment: reference === null ? { captureId } : { reference, providerId: null }, refund: snapshot };
}

function disputeReport({ object, created }: StripeEvent): CallbackReport {
  const found = readObjectOf(object, "dispute");
  const dispute = found === null ? null : disputeOf(found);
  return dispute === null ? { kind: "nothing" } : { kind: "dispute", dispute: { ...dispute, occurredAt: created ?? dispute.occurredAt } };
}
