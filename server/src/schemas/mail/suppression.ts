import Type from "typebox";
import type { SuppressionRow } from "#messaging/index.ts";
import { flag, idOf, instant, instantOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

export const suppressionReasons = ["bounce", "complaint", "unsubscribe", "manual"] as const;
export const channels = ["email", "sms", "call"] as const;

export type SuppressionShape = ReturnType<typeof showSuppression>;

export const suppressionSchema = shape("Suppression", "An address that nothing more is sent to.", {
  id: idOf("sup", "The suppression's id."),
  object: oneOf(["suppression"], "Always `suppression`."),
  project_id: idOf("prj", "The project that keeps it."),
  livemode: flag("False in the TEST environment."),
  channel: oneOf(channels, "What it is kept from."),
  address: text("The address, in lower case: of an e-mail, or a telephone number. `+15551230000/acme` is a number that opted out of one sender.", [
    "ada@example.com",
  ]),
  reason: oneOf(suppressionReasons, "Why: the mailbox does not exist, a complaint, a wish to be left alone, or by hand."),
  source_id: textOrNull("The message that was the cause."),
  expires_at: instantOrNull("Until when; null: for good."),
  created_at: instant("When it was added."),
  updated_at: instant("When it was last changed."),
});

export const suppressionIn = strict({
  address: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: "The address. Required, unless `email` has it.", examples: ["ada@example.com"] }),
  ),
  email: Type.Optional(
    Type.String({ minLength: 1, maxLength: 320, description: "The same as `address`, as clients of the field call it.", examples: ["ada@example.com"] }),
  ),
  channel: Type.Optional(oneOf(channels, "`email` when absent.")),
  reason: Type.Optional(oneOf(suppressionReasons, "Why; `manual` when absent. The others are for lists that you bring along.")),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "Until when. Absent: 90 days for `bounce`, for good otherwise. null: for good.",
    }),
  ),
});

/** Field by field, so that a column added below never shows here unasked. */
export function showSuppression(row: SuppressionRow) {
  const { id, project_id, livemode, channel, address, reason, source_id, expires_at, created_at, updated_at } = row;
  return { id, object: "suppression" as const, project_id, livemode, channel, address, reason, source_id, expires_at, created_at, updated_at };
}
