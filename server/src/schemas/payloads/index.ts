import Type, { type TSchema } from "typebox";
import { flag, idOf, instant, oneOf, shapeOf, text } from "../fields/fields.ts";
import { callPayloads, callSentences, eventCall } from "./calls.ts";
import { guardPayloads } from "./guards.ts";
import { eventEmail, eventSms, messagePayloads } from "./messages.ts";
import { eventDispute, eventException, eventOrder, eventRefund, eventSession, eventVoucher, orderPayloads } from "./orders.ts";
import { eventVerification, verificationPayloads, verificationSentences } from "./verifications.ts";

const webhookTest = { webhook: Type.Object({ id: idOf("we", "The endpoint's ID.") }, { description: "The endpoint being tested." }) };

const payloads: Record<string, Record<string, TSchema>> = {
  ...orderPayloads,
  ...messagePayloads,
  ...callPayloads,
  ...verificationPayloads,
  ...guardPayloads,
  "webhook.test": webhookTest,
};

/** The meaning of each event, for the OpenAPI document. Families share the sentence for their name's last part. */
export const eventSentences: Record<string, string> = {
  "order.created": "An order was created.",
  "order.paid": "An order was paid. Sent once per order.",
  "order.failed": "An order ended without payment: it expired, was canceled, or its proof was rejected for good.",
  "order.expired": "An order expired before it was paid. `order.failed` is sent as well.",
  "order.payment_pending_verify": "A buyer reported a payment. Someone needs to review it.",
  "order.verification_rejected": "A reviewer rejected a payment.",
  "payment.session.created": "A buyer started a payment.",
  "payment.session.failed": "A payment attempt failed. The order can still be paid.",
  "payment.exception": "Money arrived that doesn't match an open order, or a payment changed afterwards. Someone needs to decide.",
  "payment.reversed":
    "A payment that was booked by mistake was reversed. The order stays paid; if money arrives for it later, `transaction.completed` is sent.",
  "refund.succeeded": "A buyer was refunded.",
  "refund.failed": "A refund failed: the money was never sent, or came back.",
  "dispute.opened":
    "A buyer disputes a payment, or their bank inquires about it. The dispute's `status` says whether the provider has taken the money; if it takes the money after an inquiry, this event is sent again.",
  "dispute.won": "A dispute ended in your favor: the money was returned, or was never taken.",
  "dispute.lost": "A dispute ended in the buyer's favor: the money isn't returned.",
  "transaction.completed": "Money was booked in the ledger.",
  "sms.received": "One of your numbers received an SMS. Its text is in `inbound`.",
  "sms.opted_out": "A recipient opted out of SMS from one of your senders.",
  "domain.verified": "A domain was verified; you can send email from it.",
  "domain.failed": "A domain's DNS records are missing; email from it is refused.",
  "number.approved": "A number or sender name was approved for LIVE, or its approved use changed.",
  "number.rejected": "A number or sender name was rejected or revoked; messages and calls from it are refused.",
  "messaging.cap_warning": "A project has used 80 percent of a daily or monthly cap on LIVE SMS and calls.",
  "messaging.cap_reached":
    "A project has reached a daily or monthly cap on LIVE SMS and calls; messages and calls that would exceed it are refused.",
  "messaging.paused": "A range of numbers was paused: LIVE SMS or calls to it are refused because the traffic looked like abuse.",
  "messaging.released": "A paused range of numbers was released.",
  "suppression.created": "An address or number was suppressed; nothing more is sent to it.",
  "suppression.deleted": "A suppression was removed; messages to the address or number are sent again.",
  ...callSentences,
  ...verificationSentences,
  "webhook.test": "A test event for this endpoint.",
};

/** The name of an event's schema: `order.paid` is `OrderPaidEvent`. */
export function payloadName(event: string): string {
  return `${event.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Event`;
}

/** The whole delivery of each event with a schema here, by the event's name: receivers narrow it by `event`. */
export const eventSchemas: Record<string, TSchema> = Object.fromEntries(
  Object.entries(payloads).map(([event, fields]) => [event, envelope(event, fields)]),
);

/** The schemas that they refer to. */
export const eventParts: Record<string, TSchema> = Object.fromEntries(
  [
    eventOrder,
    eventSession,
    eventVoucher,
    eventException,
    eventRefund,
    eventDispute,
    eventEmail,
    eventSms,
    eventCall,
    eventVerification,
  ].map((part) => [(part as unknown as { $id: string }).$id, part]),
);

function envelope(event: string, fields: Record<string, TSchema>): TSchema {
  const data = Type.Object({ ...fields, project_id: idOf("prj", "The project it happened in.") }, { description: "The warning's code." });
  return shapeOf(payloadName(event), sentenceOf(event), {
    id: idOf("evt", "The event's ID; the same in every delivery. Store it so that you process each event once."),
    event: oneOf([event], `Always \`${event}\`.`),
    created_at: instant("When it happened."),
    livemode: flag("False in TEST."),
    test: Type.Optional(flag("True for test deliveries; absent for all others.")),
    api_version: text("Version of the payload.", ["2026-11-01"]),
    data,
  });
}

/** A sentence for each event. */
export function sentenceOf(event: string): string {
  const what = event.startsWith("sms.") ? "An SMS's status" : "An email's status or history";
  return eventSentences[event] ?? `${what} changed: ${event.slice(event.indexOf(".") + 1).replaceAll("_", " ")}.`;
}
