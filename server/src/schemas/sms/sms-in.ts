import Type, { type TSchema } from "typebox";
import { strict, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

const textMax = 10_000;
const textFields = {
  body: Type.Optional(textOrNull("What it says: 1 to 1,600 characters.", { maxLength: textMax, examples: ["Your order INV-1001 is on its way."] })),
  text: Type.Optional(textOrNull("Another name of `body`. Send one of them.", { maxLength: textMax })),
  max_segments: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: 10,
      description: "Refuses a text that takes more parts than this; 10 when absent.",
      examples: [3],
    }),
  ),
  smart_encoding: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "Writes curly quotes, long dashes and the like as plain ones, where the whole text then fits the smaller alphabet.",
    }),
  ),
};

const validity = { type: ["integer", "null"], minimum: 60, maximum: 36_000 };
const categories = ["transactional", "marketing"] as const;

const smsFields = {
  from: Type.Optional(
    textOrNull(
      "Sender: a number in international form, a short code, or a name of up to 11 letters and digits. In LIVE one that was approved for this project. In TEST anything; the simulator's `+15005550006` when absent.",
      { maxLength: 32, examples: ["+15005550006"] },
    ),
  ),
  to: Type.String({ maxLength: 32, description: "Recipient: a telephone number in international form (E.164).", examples: ["+15005551000"] }),
  ...textFields,
  validity_period: Type.Optional(
    Type.Unsafe<number | null>({
      ...validity,
      description: "Seconds after which a message that no carrier accepted is given up; ten hours when absent.",
      examples: [600],
    }),
  ),
  expires_in: Type.Optional(Type.Unsafe<number | null>({ ...validity, description: "Another name of `validity_period`. Send one of them." })),
  category: Type.Optional(
    Type.Unsafe<(typeof categories)[number] | null>({
      type: ["string", "null"],
      enum: [...categories, null],
      description:
        "`marketing` waits for the end of the recipient's quiet hours in LIVE, by the project's messaging limits; `transactional`, when absent, only where they say so. What waits is `scheduled`.",
    }),
  ),
  scheduled_at: Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description: "When to send it, at most 30 days ahead; at once when absent." }),
  ),
  tags: Type.Optional(nullable(tagsIn)),
  metadata: Type.Optional(nullable(metadataIn)),
  status_callback: Type.Optional(
    textOrNull("A public https address that is told of this message's events, signed like a webhook.", {
      maxLength: 2048,
      examples: ["https://shop.example.com/hooks/sms"],
    }),
  ),
};

/** Fields that are two names of one. */
export const smsAliases = [
  ["body", "text"],
  ["validity_period", "expires_in"],
] as const;

/** A request for one message; what a schema cannot say is checked by the deed, all faults at once. */
export const smsIn = strict(smsFields, { description: "A message to send." });

/** A batch's defaults: any field of a message, none of them needed. */
export const smsDefaultsIn = strict(Object.fromEntries(Object.entries(smsFields).map(([name, field]) => [name, Type.Optional(field as TSchema)])), {
  description: "Fields that every message of the batch has unless it says otherwise.",
});

export const smsEstimateIn = strict(textFields, { description: "A text." });

const messages = Type.Array(smsIn, { minItems: 1, maxItems: 100, description: "The messages." });

/** A batch in the document. Its messages are held against their schema one by one, so that some can be faulty and others not. */
export const smsBatchDocument = {
  anyOf: [messages, strict({ defaults: Type.Optional(smsDefaultsIn), messages }, { description: "Messages with fields in common." })],
};

/** What the surface itself asks of a batch before it looks at its messages. */
export const smsBatchIn = strict({ defaults: Type.Optional(smsDefaultsIn), messages: Type.Optional(Type.Array(Type.Unknown())) });
