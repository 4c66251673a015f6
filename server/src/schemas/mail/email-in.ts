import Type, { type TSchema, type TUnsafe } from "typebox";
import type { EmailInput } from "#email/index.ts";
import { type FieldsOf, flag, oneOf, strict, text, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

export const emailCategories = ["transactional", "marketing"] as const;

/** One address or a list of them, which responses repeat in the same shape. */
export function addresses(description: string, options: Record<string, unknown> = {}): TUnsafe<string | string[]> {
  return Type.Unsafe<string | string[]>({ type: ["string", "array"], items: { type: "string" }, description, ...options });
}

const listed = { items: { type: "string", maxLength: 1000 }, maxItems: 1000, maxLength: 1000 };
const recipientExamples = [["ada@example.com", "Bob <bob@example.com>"]];
const moreAddresses = (description: string) => Type.Optional(addresses(description, { ...listed, type: ["string", "array", "null"] }));
/** The rules limit the length: a schema would count the characters one by one, and there may be megabytes of them. */
const bodyText = (description: string, example: string) => Type.Optional(textOrNull(description, { examples: [example] }));

const attachmentIn = strict(
  {
    filename: text("The file name the recipient sees.", ["invoice.txt"]),
    content: text("The content in base64.", ["VGhhbmsgeW91Lgo="]),
    content_type: Type.Optional(
      textOrNull("The media type. Defaults to the one for the file name's extension.", { examples: ["text/plain"] }),
    ),
    content_id: Type.Optional(
      textOrNull('An ID for showing the file in the HTML: `logo` is shown by `<img src="cid:logo">`.', { examples: ["logo"] }),
    ),
  },
  { description: "A file attached to the message." },
);

const headersIn = Type.Unsafe<Record<string, string>>({
  type: "object",
  description: "Your own headers, such as `X-Order`. Headers that Tillpost sets are refused.",
  additionalProperties: { type: "string" },
  examples: [{ "X-Order": "INV-1001" }],
});

const trackingIn = strict(
  {
    opens: Type.Optional(flag("Track opens with a pixel in the HTML.")),
    clicks: Type.Optional(flag("Track clicks by routing the HTML's links through this server.")),
  },
  { description: "What to track. Nothing by default." },
);

const emailFields = {
  from: Type.String({
    maxLength: 1000,
    description:
      "The sender: an address, or a name and an address. In LIVE, its domain must be verified for this project or be the platform's domain.",
    examples: ["Corner Books <orders@shop.example.com>"],
  }),
  to: addresses("The recipients: an address or a list, up to 50 with cc and bcc. Each gets a separate copy.", {
    ...listed,
    examples: ["ada@example.com", ...recipientExamples],
  }),
  subject: Type.String({ maxLength: 998, description: "The subject.", examples: ["Your order INV-1001"] }),
  html: bodyText("The message as HTML, up to 2 MB. Send `html`, `text` or both.", "<p>Thank you.</p>"),
  text: bodyText("The message as plain text, up to 2 million characters. Generated from the HTML if omitted.", "Thank you."),
  cc: moreAddresses("Recipients of copies, visible to everyone."),
  bcc: moreAddresses("Recipients of copies, hidden from everyone."),
  reply_to: moreAddresses("Where replies go."),
  headers: Type.Optional(nullable(headersIn)),
  attachments: Type.Optional(
    nullable(
      Type.Array(attachmentIn, {
        maxItems: 1000,
        description: "Up to 50 files, 25 MB in total once decoded. Send their bytes in `content`; file URLs aren't fetched.",
      }),
    ),
  ),
  tracking: Type.Optional(nullable(trackingIn)),
  unsubscribe: Type.Optional(
    Type.Unsafe<boolean | null>({ type: ["boolean", "null"], description: "Adds one-click unsubscribe. Marketing email always has it." }),
  ),
  category: Type.Optional(oneOf(emailCategories, "`marketing` adds one-click unsubscribe. Defaults to `transactional`.")),
  tags: Type.Optional(nullable(tagsIn)),
  metadata: Type.Optional(nullable(metadataIn)),
  scheduled_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "When to send it, up to 30 days ahead. Sent right away if omitted.",
    }),
  ),
  expires_in: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 60,
      maximum: 172_800,
      description: "How many seconds to keep trying to deliver it. Defaults to two days.",
      examples: [3600],
    }),
  ),
  status_callback: Type.Optional(
    textOrNull("A public https address that receives this message's events, signed like webhooks.", {
      maxLength: 2048,
      examples: ["https://shop.example.com/hooks/mail"],
    }),
  ),
} satisfies FieldsOf<EmailInput>;

/** A request for one message; the operation checks what a schema can't express, all faults at once. */
export const emailIn = strict(emailFields, { description: "A message to send." });

/** A batch's defaults: any field of a message, all optional. */
export const emailDefaultsIn = strict(
  Object.fromEntries(Object.entries(emailFields).map(([name, field]) => [name, Type.Optional(field as TSchema)])),
  {
    description: "Default fields for every message in the batch; a message can override them.",
  },
);

export const rescheduleIn = strict({
  scheduled_at: Type.String({
    format: "date-time",
    description: "When to send it, up to 30 days ahead.",
    examples: ["2026-12-01T09:00:00Z"],
  }),
});
