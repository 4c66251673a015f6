import Type, { type TSchema } from "typebox";
import { flag, idOf, instant, oneOf, shapeOf, text } from "../fields/fields.ts";
import { callPayloads, callSentences, eventCall } from "./calls.ts";
import { guardPayloads } from "./guards.ts";
import { eventEmail, eventSms, messagePayloads } from "./messages.ts";
import { eventDispute, eventException, eventOrder, eventRefund, eventSession, eventVoucher, orderPayloads } from "./orders.ts";
import { eventVerification, verificationPayloads, verificationSentences } from "./verifications.ts";

const webhookTest = { webhook: Type.Object({ id: idOf("we", "The endpoint's ID.") }, { description: "The endpoint that is tested." }) };

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
  "order.paid": "An order is paid. It fires once an order.",
  "order.failed": "An order ended without payment: it expired, was canceled, or its proof was rejected for good.",
  "order.expired": "An order's time to pay ran out. `order.failed` is sent as well.",
  "order.payment_pending_verify": "The buyer says that they paid. A person should check it.",
  "order.verification_rejected": "A reviewer did not accept the payment.",
  "payment.session.created": "A buyer began to pay.",
  "payment.session.failed": "An attempt to pay failed. The order can still be paid.",
  "payment.exception": "Money came in, or turned out differently, and needs a person.",
  "payment.reversed": "A payment was booked by mistake and taken back. The order stays paid; money that then comes for it is told by `transaction.completed`.",
  "refund.succeeded": "Money went back to a buyer.",
  "refund.failed": "A refund failed: its money never left, or came back.",
  "dispute.opened":
    "A buyer disputes a payment, or their bank asks about it. The dispute's `status` says whether the provider has taken the money; when it takes it after an inquiry, this is sent again.",
  "dispute.won": "A dispute ended in your favour: the money is back, or was never taken.",
  "dispute.lost": "A dispute ended for the buyer: the money stays gone.",
  "transaction.completed": "Money was booked in the ledger.",
  "sms.received": "One of your numbers received an SMS. Its text is in `inbound`.",
  "sms.opted_out": "A recipient opted out of SMS from one of your senders.",
  "domain.verified": "A domain was verified; you can send email from it.",
  "domain.failed": "A domain's DNS records are missing; email from it is refused.",
  "number.approved": "A number or sender name was approved for LIVE, or its approved use changed.",
  "number.rejected": "A number or sender name was rejected or revoked; messages and calls from it are refused.",
  "messaging.cap_warning": "A project has used 80 percent of a daily or monthly cap on LIVE SMS and calls.",
  "messaging.cap_reached": "A project has reached a daily or monthly cap on LIVE SMS and calls; messages and calls that would exceed it are refused.",
  "messaging.paused": "A range of numbers was paused: LIVE SMS or calls to it are refused because the traffic looked like abuse.",
  "messaging.released": "A paused range of numbers was released.",
  "suppression.created": "An address or number was suppressed; nothing more is sent to it.",
  "suppression.deleted": "A suppression was removed; messages to the address or number are sent again.",
  ...callSentences,
  ...verificationSentences,
  "webhook.test": "A test of this endpoint.",
};

/** The name of an event's schema: `order.paid` is `OrderPaidEvent`. */
export function payloadName(event: string): string {
  return `${event.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Event`;
}

/** The whole delivery of each event with a schema here, by the event's name: receivers narrow it by `event`. */
export const eventSchemas: Record<string, TSchema> = Object.fromEntries(Object.entries(payloads).map(([event, fields]) => [event, envelope(event, fields)]));

/** The schemas that they refer to. */
export const eventParts: Record<string, TSchema> = Object.fromEntries(
  [eventOrder, eventSession, eventVoucher, eventException, eventRefund, eventDispute, eventEmail, eventSms, eventCall, eventVerification].map((part) => [
    (part as unknown as { $id: string }).$id,
    part,
  ]),
);

function envelope(event: string, fields: Record<string, TSchema>): TSchema {
  const data = Type.Object({ ...fields, project_id: idOf("prj", "The project that it happened in.") }, { description: "What it is about." });
  return shapeOf(payloadName(event), sentenceOf(event), {
    id: idOf("evt", "The event's id; the same in every delivery. Keep it to take each event once."),
    event: oneOf([event], `Always \`${event}\`.`),
    created_at: instant("When it happened."),
    livemode: flag("False in TEST."),
    test: Type.Optional(flag("True on test deliveries, absent on all others.")),
    api_version: text("Version of the payload.", ["2026-11-01"]),
    data,
  });
}

/** A sentence for each event. */
export function sentenceOf(event: string): string {
  const what = event.startsWith("sms.") ? "An SMS's status" : "An email's status or history";
  return eventSentences[event] ?? `${what} changed: ${event.slice(event.indexOf(".") + 1).replaceAll("_", " ")}.`;
}
