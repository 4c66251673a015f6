import { cleanSchema, deriveExample, eventComponents, mapValues, refOf } from "#openapi/index.ts";
import { fixedSchemas, payloadName } from "#schemas/index.ts";

type Json = Record<string, unknown>;

const orderStatus: Record<string, string> = {
  "order.paid": "paid",
  "order.failed": "failed",
  "order.expired": "expired",
  "order.payment_pending_verify": "pending_verify",
  "transaction.completed": "paid",
  "dispute.opened": "paid",
  "dispute.won": "paid",
  "dispute.lost": "paid",
};

/** The data of a test event, created from the schema of the real one: the same fields, about objects that don't exist. */
export function sampleData(event: string, now: Date): object {
  const schemas = { ...mapValues(fixedSchemas as Record<string, unknown>, cleanSchema), ...eventComponents() };
  const derive = (name: string) => deriveExample(schemas, { $ref: refOf(name) }, { owner: "", name: "", isRequest: false }) as Json;
  const { project_id: _own, ...given } = derive(payloadName(event))["data"] as Json;
  // Most exceptions name an order, but not all.
  const data = event === "payment.exception" ? { order: derive("EventOrder"), ...given } : given;
  return atTheTime(
    withOrder(withDispute(withVerification(withCall(withSms(withEmail(data, event), event), event), event), event), event, now),
    now,
  ) as object;
}

/** The order as it is after this event. */
function withOrder(data: Json, event: string, now: Date): Json {
  if (typeof data["order"] !== "object" || data["order"] === null) return data;
  const status = orderStatus[event] ?? "unpaid";
  const ended = status === "failed" || status === "expired";
  const failure = ended ? { failure_code: status === "expired" ? "expired" : "proof_rejected", failed_at: now } : {};
  const { failure_code: _code, failed_at: _at, ...order } = data["order"] as Json;
  return { ...data, order: { ...order, status, paid_at: status === "paid" ? now : null, ...failure } };
}

function withEmail(data: Json, event: string): Json {
  if (typeof data["email"] !== "object" || data["email"] === null) return data;
  const name = event.slice("email.".length);
  const status = ["opened", "clicked", "unsubscribed", "received"].includes(name) ? "delivered" : name;
  const email = data["email"] as { recipients: Json[] };
  const ended = status === "bounced" || status === "failed" ? { error: errorOf(data["bounce"] as Json) } : {};
  return { ...data, email: { ...email, ...ended, status, recipients: email.recipients.map((one) => ({ ...one, status })) } };
}

function withSms(data: Json, event: string): Json {
  if (typeof data["sms"] !== "object" || data["sms"] === null) return data;
  const name = event.slice("sms.".length);
  const isInbound = name === "received" || name === "opted_out";
  const error =
    name === "failed" || name === "undelivered"
      ? { code: "expired", message: "It couldn't be delivered in time.", provider_code: null }
      : null;
  return { ...data, sms: { ...data["sms"], direction: isInbound ? "inbound" : "outbound", status: isInbound ? "received" : name, error } };
}

/** The provider response that ended the message. */
function errorOf({ subtype, diagnostic, enhanced_code }: Json): Json {
  return { code: subtype, message: diagnostic, provider_code: enhanced_code };
}

/** The call as it is after this event. */
function withCall(data: Json, event: string): Json {
  if (typeof data["call"] !== "object" || data["call"] === null) return data;
  const name = event.slice("call.".length);
  const status = name === "gathered" || name === "recording_ready" ? "in_progress" : name;
  const { error, ...call } = data["call"] as Json;
  const answered = status === "in_progress" || status === "completed";
  const times = {
    duration: status === "completed" ? call["duration"] : null,
    ...(answered ? {} : { answered_by: null, answered_at: null, digits: "", gathered: {} }),
  };
  return { ...data, call: { ...call, ...times, status, error: status === "failed" ? error : null } };
}

/** The verification as it is after this event. */
function withVerification(data: Json, event: string): Json {
  if (typeof data["verification"] !== "object" || data["verification"] === null) return data;
  const name = event.slice("verification.".length);
  const { sends, ...verification } = data["verification"] as Json;
  const status = name === "created" || name === "sent" ? "pending" : name;
  const counts = { attempts_left: status === "failed" ? 0 : 5, sends_left: name === "created" ? 3 : 2 };
  return { ...data, verification: { ...verification, ...counts, sends: name === "created" ? [] : sends, status, error: null } };
}

function withDispute(data: Json, event: string): Json {
  if (typeof data["dispute"] !== "object" || data["dispute"] === null) return data;
  return { ...data, dispute: { ...data["dispute"], status: event.slice("dispute.".length) } };
}

/** Times in examples are fixed for the documentation; a test event happens now. */
function atTheTime(value: unknown, now: Date): unknown {
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((one) => atTheTime(one, now));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, atTheTime(one, now)]));
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? now : value;
}
