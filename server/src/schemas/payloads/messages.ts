import Type, { type TSchema } from "typebox";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shapeOf, text, textOrNull } from "../fields/fields.ts";
import { domainRecord } from "../mail/domain.ts";
import { messageError } from "../mail/email.ts";
import { addresses } from "../mail/email-in.ts";

/** Parts of the payloads about messages, domains and suppressions. They may grow: a receiver must bear fields that it does not know. */
export const eventEmail = shapeOf("EventEmail", "An e-mail as every event carries it: without its body.", {
  id: idOf("em", "The message's id."),
  object: oneOf(["email"], "Always `email`."),
  status: text("Where it stands after this event.", ["delivered"]),
  from: text("Sender.", ["Corner Books <orders@shop.example.com>"]),
  to: addresses("Recipients, in the shape they were sent."),
  subject: text("Subject.", ["Thank you for your order"]),
  message_id: text("The Message-ID in its header.", ["<em_01m7wje4wze7as3wcxk3xbrgav@shop.example.com>"]),
  category: text("`transactional` or `marketing`.", ["transactional"]),
  tags: Type.Array(Type.Object({ name: text("Name.", ["campaign"]), value: text("Value.", ["welcome"]) }, { description: "A tag." }), {
    description: "Its tags.",
  }),
  metadata: Type.Record(Type.String(), Type.String(), { description: "The merchant's own keys and values." }),
  batch_id: textOrNull("The batch that it came in."),
  error: messageError,
  recipients: Type.Array(
    Type.Object(
      {
        address: text("Address.", ["ada@example.com"]),
        type: oneOf(["to", "cc", "bcc"], "How it is addressed."),
        status: text("Where its copy stands.", ["delivered"]),
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
    subtype: text("What it was: `no_email`, `mailbox_full`, `blocked` and so on.", ["no_email"]),
    recipient: textOrNull("Whose copy."),
    smtp_code: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The server's code." }),
    enhanced_code: textOrNull("Its enhanced code."),
    diagnostic: textOrNull("What the server said."),
  },
  { description: "Why it was not delivered, or not yet." },
);
/** Who, or what, fetched something of a message. */
const seen = {
  ip: textOrNull("The address that asked.", { examples: ["203.0.113.7"] }),
  user_agent: textOrNull("What it called itself."),
  is_machine: flag("True for a scanner, or a mail program that fetches by itself: such are told, and not counted."),
};
const open = Type.Object(seen, { description: "How it was opened." });
const click = Type.Object(
  { url: text("Where the link leads.", ["https://shop.example.com/orders/1001"]), ...seen },
  { description: "Which link was followed." },
);
const inbound = Type.Object(
  {
    from: text("Who wrote.", ["ada@example.com"]),
    to: text("To whom.", ["orders@shop.example.com"]),
    subject: text("Subject.", ["Re: Thank you for your order"]),
    text: text("What it says."),
    in_reply_to: text("The Message-ID of the message that it answers.", ["<em_01m7wje4wze7as3wcxk3xbrgav@shop.example.com>"]),
  },
  { description: "The mail that came in about it." },
);

const message = {
  email: Type.Unsafe<object>({ $ref: "EventEmail#" }),
  previous_status: textOrNull("Where it stood before."),
  sequence: integer("Counts the events of this message, from 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
  recipient: Type.Optional(text("The recipient that it is about, where it is about one.", ["ada@example.com"])),
};
/** Of what one recipient did. */
const ofOne = { ...message, recipient: text("The recipient that it is about.", ["ada@example.com"]) };

const suppression = Type.Object(
  {
    id: idOf("sup", "The suppression's id."),
    object: oneOf(["suppression"], "Always `suppression`."),
    channel: text("What kind of messages it stops.", ["email"]),
    address: text("The address.", ["ada@example.com"]),
    reason: oneOf(["bounce", "complaint", "unsubscribe", "manual"], "Why."),
    source_id: textOrNull("The message that it came from."),
    expires_at: instantOrNull("When it ends by itself."),
    created_at: instant("When it was added."),
  },
  { description: "An address that nothing more is sent to." },
);

const domain = Type.Object(
  {
    id: idOf("dom", "The domain's id."),
    object: oneOf(["domain"], "Always `domain`."),
    name: text("The domain.", ["shop.example.com"]),
    status: oneOf(["verified", "failed"], "Whether mail may be sent from it."),
    records: Type.Array(domainRecord, { description: "The DNS records, and whether each was found." }),
    created_at: instant("When it was added."),
  },
  { description: "A domain that mail is sent from." },
);

const number = Type.Object(
  {
    id: idOf("num", "The number's id."),
    object: oneOf(["number"], "Always `number`."),
    value: text("The number or name.", ["+14155550100"]),
    kind: oneOf(["number", "alphanumeric"], "Whether it can be answered."),
    channels: Type.Array(Type.String(), { description: "What it may be used for.", examples: [["sms", "call"]] }),
    countries: Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: { type: "string" },
      description: "Where messages and calls from it may go; null: wherever the project may send to.",
      examples: [["US"]],
    }),
    status: oneOf(["approved", "rejected"], "What was decided."),
    rejection_reason: textOrNull("Why it was refused or taken back."),
    created_at: instant("When it was first asked for."),
  },
  { description: "A number or sender name." },
);

const plain = "queued scheduled sent delivered suppressed canceled".split(" ");
const more: Record<string, Record<string, TSchema>> = {
  ...Object.fromEntries(["failed", "delivery_delayed", "bounced", "complained"].map((name) => [name, { ...message, bounce: Type.Optional(bounce) }])),
  unsubscribed: ofOne,
  opened: { ...ofOne, open },
  clicked: { ...ofOne, click },
  received: { ...ofOne, inbound },
};

/** An SMS as every event carries it: without its text. */
export const eventSms = shapeOf("EventSms", "An SMS as every event carries it: without its text.", {
  id: idOf("sms", "The message's id."),
  object: oneOf(["sms"], "Always `sms`."),
  direction: oneOf(["outbound", "inbound"], "`inbound`: it came to one of the project's numbers."),
  status: text("Where it stands after this event.", ["delivered"]),
  from: text("Sender.", ["+15005550006"]),
  to: text("Recipient.", ["+15005551000"]),
  country: text("The country of the other side.", ["US"]),
  encoding: text("The alphabet that it is sent in.", ["GSM-7"]),
  segments: integer("How many parts it is sent in.", { examples: [1] }),
  segments_sent: integer("How many of them a carrier accepted.", { examples: [1] }),
  tags: Type.Array(Type.Object({ name: text("Name.", ["campaign"]), value: text("Value.", ["welcome"]) }, { description: "A tag." }), {
    description: "Its tags.",
  }),
  metadata: Type.Record(Type.String(), Type.String(), { description: "The merchant's own keys and values." }),
  batch_id: textOrNull("The batch that it came in."),
  error: messageError,
  created_at: instant("When it was accepted, or came in."),
});

const sms = {
  sms: Type.Unsafe<object>({ $ref: "EventSms#" }),
  previous_status: textOrNull("Where it stood before."),
  sequence: integer("Counts the events of this message, from 1.", { examples: [3] }),
  occurred_at: instant("When it happened."),
};

const inboundSms = Type.Object(
  {
    body: textOrNull("What it says; null once its text was deleted.", { examples: ["STOP"] }),
    keyword: Type.Unsafe<string | null>({
      type: ["string", "null"],
      enum: ["stop", "start", "help", null],
      description: "What it asks for.",
      examples: ["stop"],
    }),
  },
  { description: "The message that came in." },
);

/** What `data` holds beside `project_id`, by event. */
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
