import Type, { type TSchema, type TUnsafe } from "typebox";
import { flag, oneOf, strict, text, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

export const emailCategories = ["transactional", "marketing"] as const;

/** One address or a list of them, as answers repeat it. */
export function addresses(description: string, options: Record<string, unknown> = {}): TUnsafe<string | string[]> {
  return Type.Unsafe<string | string[]>({ type: ["string", "array"], items: { type: "string" }, description, ...options });
}

const listed = { items: { type: "string", maxLength: 1000 }, maxItems: 1000, maxLength: 1000 };
const recipientExamples = [["ada@example.com", "Bob <bob@example.com>"]];
const moreAddresses = (description: string) => Type.Optional(addresses(description, { ...listed, type: ["string", "array", "null"] }));
/** How long it may be, the rules say: a schema has its characters counted one by one, here in megabytes of them. */
const bodyText = (description: string, example: string) => Type.Optional(textOrNull(description, { examples: [example] }));

const attachmentIn = strict(
  {
    filename: text("The name that the recipient sees.", ["invoice.txt"]),
    content: text("The bytes, in base64.", ["VGhhbmsgeW91Lgo="]),
    content_type: Type.Optional(textOrNull("Its media type; without it the file name's ending decides.", { examples: ["text/plain"] })),
    content_id: Type.Optional(textOrNull('A name that the HTML shows it by: `logo` is shown by `<img src="cid:logo">`.', { examples: ["logo"] })),
  },
  { description: "A file that comes with the message." },
);

const headersIn = Type.Unsafe<Record<string, string>>({
  type: "object",
  description: "Headers of your own, such as `X-Order`. Those that the service writes itself are refused.",
  additionalProperties: { type: "string" },
  examples: [{ "X-Order": "INV-1001" }],
});

const trackingIn = strict(
  {
    opens: Type.Optional(flag("Notice when the message is opened, by a picture in the HTML.")),
    clicks: Type.Optional(flag("Notice when a link of the HTML is followed, by leading it through this server.")),
  },
  { description: "What is noticed about the recipient. Nothing unless asked for." },
);

const emailFields = {
  from: Type.String({
    maxLength: 1000,
    description: "Sender: an address, or a name and an address. In LIVE its domain must be verified for this project, or be the platform's own.",
    examples: ["Corner Books <orders@shop.example.com>"],
  }),
  to: addresses("Recipients: an address, or a list. All recipients together are at most 50, and each gets a copy of their own.", {
    ...listed,
    examples: ["ada@example.com", ...recipientExamples],
  }),
  subject: Type.String({ maxLength: 998, description: "The subject.", examples: ["Your order INV-1001"] }),
  html: bodyText("The message as HTML, at most 2 MB. One of `html` and `text` is needed.", "<p>Thank you.</p>"),
  text: bodyText("The message as plain text, at most 2 million characters; made from the HTML when absent.", "Thank you."),
  cc: moreAddresses("Recipients of copies, whom all see."),
  bcc: moreAddresses("Recipients of copies, whom nobody sees."),
  reply_to: moreAddresses("Where answers go."),
  headers: Type.Optional(nullable(headersIn)),
  attachments: Type.Optional(
    nullable(
      Type.Array(attachmentIn, {
        maxItems: 1000,
        description: "Up to 50 files, 25 MB in all once decoded. Their bytes come in `content`; addresses of files are not fetched.",
      }),
    ),
  ),
  tracking: Type.Optional(nullable(trackingIn)),
  unsubscribe: Type.Optional(
    Type.Unsafe<boolean | null>({ type: ["boolean", "null"], description: "Adds a way to unsubscribe with one click. Marketing always has it." }),
  ),
  category: Type.Optional(oneOf(emailCategories, "`marketing` comes with a way to unsubscribe; `transactional` when absent.")),
  tags: Type.Optional(nullable(tagsIn)),
  metadata: Type.Optional(nullable(metadataIn)),
  scheduled_at: Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description: "When to send it, at most 30 days ahead; at once when absent." }),
  ),
  expires_in: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 60,
      maximum: 172_800,
      description: "Seconds after which a message that was not delivered is given up; two days when absent.",
      examples: [3600],
    }),
  ),
  status_callback: Type.Optional(
    textOrNull("A public https address that is told of this message's events, signed like a webhook.", {
      maxLength: 2048,
      examples: ["https://shop.example.com/hooks/mail"],
    }),
  ),
};

/** A request for one message; what a schema cannot say is checked by the deed, all faults at once. */
export const emailIn = strict(emailFields, { description: "A message to send." });

/** A batch's defaults: any field of a message, none of them needed. */
export const emailDefaultsIn = strict(Object.fromEntries(Object.entries(emailFields).map(([name, field]) => [name, Type.Optional(field as TSchema)])), {
  description: "Fields that every message of the batch has unless it says otherwise.",
});

export const rescheduleIn = strict({
  scheduled_at: Type.String({ format: "date-time", description: "When to send it, at most 30 days ahead.", examples: ["2026-12-01T09:00:00Z"] }),
});
