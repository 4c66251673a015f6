import Type, { type TSchema } from "typebox";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { domainRecord } from "../mail/domain.ts";
import { messageError } from "../mail/email.ts";
import { addresses } from "../mail/email-in.ts";

/** Parts of the payloads about messages, domains and suppressions. They may grow: receivers must ignore unknown fields. */
export const eventEmail = shapeOf("EventEmail", "An email as events carry it: without its body.", {
  id: idOf("em", "The message's ID."),
  object: oneOf(["email"], "Always `email`."),
  status: text("Its status after this event.", ["delivered"]),
  from: text("Sender.", ["Corner Books <orders@shop.example.com>"]),
  to: addresses("The recipients, in the form you sent."),
  subject: text("Subject.", ["Thank you for your order"]),
  message_id: text("The `Message-ID` header.", ["<em_01m7wje4wze7as3wcxk3xbrgav@shop.example.com>"]),
  category: text("`transactional` or `marketing`.", ["transactional"]),
  tags: Type.Array(Type.Object({ name: text("Name.", ["campaign"]), value: text("Value.", ["welcome"]) }, { description: "A tag." }), {
    description: "Its tags.",
  }),
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  batch_id: textOrNull("The batch it was sent in."),
  error: messageError,
  recipients: Type.Array(
    Type.Object(
      {
        address: text("Address.", ["ada@example.com"]),
        type: oneOf(["to", "cc", "bcc"], "The field it was in: to, cc or bcc."),
        status: text("The copy's status.", ["delivered"]),
      },
      { description: "A recipient's copy." },
    ),
    { description: "Each recipient's copy." },
  ),
  created_at: instant("When it was accepted."),
});

const bounce = Type.Object(
  {
    type: text("`permanent`, `transient` or `undetermined`.", ["permanent"]),
    subtype: text("The kind of failure: `no_email`, `mailbox_full`, `blocked` and so on.", ["no_email"]),
    recipient: textOrNull("The recipient whose copy it is."),
    smtp_code: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The server's code." }),
    enhanced_code: textOrNull("Its enhanced code."),
    diagnostic: textOrNull("What the server said."),
  },
  { description: "Why it wasn't delivered, or not yet." },
);
/** Who, or what, fetched a part of a message. */
const seen = {
  ip: textOrNull("The IP address of the request.", { examples: ["203.0.113.7"] }),
  user_agent: textOrNull("The user agent."),
  is_machine: flag("True for scanners and mail apps that fetch automatically. Their events are sent, but not counted."),
};
const open = Type.Object(seen, { description: "How the email was opened." });
const click = Type.Object(
  { url: text("The link's target.", ["https://shop.example.com/orders/1001"]), ...seen },
  { description: "The link that was clicked." },
);
const inbound = Type.Object(
  {
    from: text("The sender.", ["ada@example.com"]),
    to: text("The recipient.", ["orders@shop.example.com"]),
    subject: text("Subject.", ["Re: Thank you for your order"]),
    text: text("The text."),
    in_reply_to: text("The `Message-ID` of the message it replies to.", ["<em_01m7wje4wze7as3wcxk3xbrgav@shop.example.com>"]),
  },
  { description: "The inbound email about it." },
);

const message = {
  email: Type.Unsafe<object>({ $ref: "EventEmail#" }),
  previous_status: textOrNull("Its status before this event."),
  sequence: integer("The event's number for this message, starting at 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
  recipient: Type.Optional(text("The recipient, if the event is about one.", ["ada@example.com"])),
};
/** The fields of events about one recipient. */
const ofOne = { ...message, recipient: text("The recipient the event is about.", ["ada@example.com"]) };

const suppression = Type.Object(
  {
    id: idOf("sup", "The suppression's ID."),
    object: oneOf(["suppression"], "Always `suppression`."),
    channel: text("The channel it applies to.", ["email"]),
    address: text("The address.", ["ada@example.com"]),
    reason: oneOf(["bounce", "complaint", "unsubscribe", "manual"], "The reason."),
    source_id: textOrNull("The message that caused it."),
    expires_at: instantOrNull("When it expires."),
    created_at: instant("When it was added."),
  },
  { description: "An address or number that nothing more is sent to." },
);

const domain = Type.Object(
  {
    id: idOf("dom", "The domain's ID."),
    object: oneOf(["domain"], "Always `domain`."),
    name: text("The domain.", ["shop.example.com"]),
    status: oneOf(["verified", "failed"], "Whether you can send from it."),
    records: Type.Array(domainRecord, { description: "The DNS records, and whether each was found." }),
    created_at: instant("When it was added."),
  },
  { description: "A domain you send email from." },
);

const number = Type.Object(
  {
    id: idOf("num", "The number's ID."),
    object: oneOf(["number"], "Always `number`."),
    value: text("The number or name.", ["+14155550100"]),
    kind: oneOf(["number", "alphanumeric"], "Whether it can receive replies."),
    channels: Type.Array(Type.String(), { description: "The channels it can be used for.", examples: [["sms", "call"]] }),
    countries: Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: { type: "string" },
      description: "The countries it can be used in; null for all countries the project may reach.",
      examples: [["US"]],
    }),
    status: oneOf(["approved", "rejected"], "The decision."),
    rejection_reason: textOrNull("Why it was rejected or revoked."),
    created_at: instant("When it was first requested."),
  },
  { description: "A number or sender name." },
);

const plain = "queued scheduled sent delivered suppressed canceled".split(" ");
const more: Record<string, Record<string, TSchema>> = {
  ...Object.fromEntries(
    ["failed", "delivery_delayed", "bounced", "complained"].map((name) => [name, { ...message, bounce: Type.Optional(bounce) }]),
  ),
  unsubscribed: ofOne,
  opened: { ...ofOne, open },
  clicked: { ...ofOne, click },
  received: { ...ofOne, inbound },
};

/** An SMS as every event has it: without its text. */
export const eventSms = shapeOf("EventSms", "An SMS as events carry it: without its text.", {
  id: idOf("sms", "The message's ID."),
  object: oneOf(["sms"], "Always `sms`."),
  direction: oneOf(["outbound", "inbound"], "`inbound`: received on one of the project's numbers."),
  status: text("Its status after this event.", ["delivered"]),
  from: text("Sender.", ["+15005550006"]),
  to: text("Recipient.", ["+15005551000"]),
  country: text("The other party's country.", ["US"]),
  encoding: text("The encoding.", ["GSM-7"]),
  segments: integer("How many parts it has.", { examples: [1] }),
  segments_sent: integer("How many parts the carrier accepted.", { examples: [1] }),
  tags: Type.Array(Type.Object({ name: text("Name.", ["campaign"]), value: text("Value.", ["welcome"]) }, { description: "A tag." }), {
    description: "Its tags.",
  }),
  metadata: Type.Record(Type.String(), Type.String(), { description: "Your own keys and values." }),
  batch_id: textOrNull("The batch it was sent in."),
  error: messageError,
  created_at: instant("When it was accepted or received."),
});

const sms = {
  sms: Type.Unsafe<object>({ $ref: "EventSms#" }),
  previous_status: textOrNull("Its status before this event."),
  sequence: integer("The event's number for this message, starting at 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

const inboundSms = Type.Object(
  {
    body: textOrNull("The text; null once it has been deleted.", { examples: ["STOP"] }),
    keyword: Type.Unsafe<string | null>({
      type: ["string", "null"],
      enum: ["stop", "start", "help", null],
      description: "The keyword: what it asks for.",
      examples: ["stop"],
    }),
  },
  { description: "The inbound message." },
);

/** The fields of `data` next to `project_id`, by event. */
export const messagePayloads: Record<string, Record<string, TSchema>> = {
  ...Object.fromEntries(plain.map((name) => [`email.${name}`, message])),
  ...Object.fromEntries(Object.entries(more).map(([name, fields]) => [`email.${name}`, fields])),
  ...Object.fromEntries("queued scheduled sent delivered undelivered failed canceled".split(" ").map((name) => [`sms.${name}`, sms])),
  "sms.received": { ...sms, inbound: inboundSms },
  "sms.opted_out": { ...sms, inbound: inboundSms },
  "domain.verified": { domain },
  "domain.failed": { domain },
  "number.approved": { number },
  "number.rejected": { number },
  "suppression.created": { suppression },
  "suppression.deleted": { suppression },
};
