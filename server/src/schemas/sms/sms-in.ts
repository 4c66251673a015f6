import Type, { type TSchema } from "typebox";
import type { SmsInput } from "#sms/index.ts";
import { type FieldsOf, strict, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

const textMax = 10_000;
const textFields = {
  body: Type.Optional(
    textOrNull("The text, 1 to 1,600 characters.", { maxLength: textMax, examples: ["Your order INV-1001 is on its way."] }),
  ),
  text: Type.Optional(textOrNull("Another name for `body`. Send only one of them.", { maxLength: textMax })),
  max_segments: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: 10,
      description: "Refuse texts that need more parts than this. Defaults to 10.",
      examples: [3],
    }),
  ),
  smart_encoding: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "Replace curly quotes, long dashes and similar characters with plain ones if the whole text then fits GSM-7.",
    }),
  ),
};

const validity = { type: ["integer", "null"], minimum: 60, maximum: 36_000 };
const categories = ["transactional", "marketing"] as const;

const smsFields = {
  from: Type.Optional(
    textOrNull(
      "The sender: a number in international form, a short code, or a sender name of up to 11 letters and digits. In LIVE, it must be approved for this project. In TEST, it can be anything and defaults to the simulator's `+15005550006`.",
      { maxLength: 32, examples: ["+15005550006"] },
    ),
  ),
  to: Type.String({
    maxLength: 32,
    description: "The recipient: a phone number in international form (E.164).",
    examples: ["+15005551000"],
  }),
  ...textFields,
  validity_period: Type.Optional(
    Type.Unsafe<number | null>({
      ...validity,
      description: "How many seconds to keep trying to send it. Defaults to ten hours.",
      examples: [600],
    }),
  ),
  expires_in: Type.Optional(
    Type.Unsafe<number | null>({ ...validity, description: "Another name for `validity_period`. Send only one of them." }),
  ),
  category: Type.Optional(
    Type.Unsafe<(typeof categories)[number] | null>({
      type: ["string", "null"],
      enum: [...categories, null],
      description:
        "In LIVE, `marketing` waits until the recipient's quiet hours end; `transactional`, the default, only waits if the project's messaging limits say so. Waiting messages are `scheduled`.",
    }),
  ),
  scheduled_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "When to send it, up to 30 days ahead. Sent right away if omitted.",
    }),
  ),
  tags: Type.Optional(nullable(tagsIn)),
  metadata: Type.Optional(nullable(metadataIn)),
  status_callback: Type.Optional(
    textOrNull("A public https address that receives this message's events, signed like webhooks.", {
      maxLength: 2048,
      examples: ["https://shop.example.com/hooks/sms"],
    }),
  ),
} satisfies FieldsOf<SmsInput>;

/** Pairs of fields that are aliases. */
export const smsAliases = [
  ["body", "text"],
  ["validity_period", "expires_in"],
] as const;

/** A request for one message; the operation checks what a schema can't express, all faults at once. */
export const smsIn = strict(smsFields, { description: "An SMS to send." });

/** A batch's defaults: any field of a message, all optional. */
export const smsDefaultsIn = strict(
  Object.fromEntries(Object.entries(smsFields).map(([name, field]) => [name, Type.Optional(field as TSchema)])),
  {
    description: "Default fields for every message in the batch; a message can override them.",
  },
);

export const smsEstimateIn = strict(textFields, { description: "A text." });

const messages = Type.Array(smsIn, { minItems: 1, maxItems: 100, description: "The messages." });

/**
 * A batch in the OpenAPI document. Its messages are checked against their schema one by one, so that some can be invalid and others not.
 */
export const smsBatchDocument = {
  anyOf: [messages, strict({ defaults: Type.Optional(smsDefaultsIn), messages }, { description: "Messages with shared default fields." })],
};

/** What the API surface itself requires of a batch before it checks its messages. */
export const smsBatchIn = strict({ defaults: Type.Optional(smsDefaultsIn), messages: Type.Optional(Type.Array(Type.Unknown())) });
