import Type from "typebox";
import type { SuppressionRow } from "#messaging/index.ts";
import { flag, idOf, instant, instantOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

export const suppressionReasons = ["bounce", "complaint", "unsubscribe", "manual"] as const;
export const channels = ["email", "sms", "call"] as const;

export type SuppressionShape = ReturnType<typeof showSuppression>;

export const suppressionSchema = shape("Suppression", "An address or number that nothing more is sent to.", {
  id: idOf("sup", "The suppression's ID."),
  object: oneOf(["suppression"], "Always `suppression`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST."),
  channel: oneOf(channels, "The channel it applies to."),
  address: text("The email address in lower case, or the phone number. `+15551230000/acme` is a number that opted out of one sender.", [
    "ada@example.com",
  ]),
  reason: oneOf(suppressionReasons, "The reason: a bounce, a complaint, an unsubscribe or opt-out, or added manually."),
  source_id: textOrNull("The message that caused it."),
  expires_at: instantOrNull("When it expires; null if it's permanent."),
  created_at: instant("When it was added."),
  updated_at: instant("When it was last updated."),
});

export const suppressionIn = strict({
  address: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: "The address. Required, unless `email` has it.",
      examples: ["ada@example.com"],
    }),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: "Another name for `address`, for compatibility with other clients.",
      examples: ["ada@example.com"],
    }),
  ),
  channel: Type.Optional(oneOf(channels, "Defaults to `email`.")),
  reason: Type.Optional(oneOf(suppressionReasons, "The reason. Defaults to `manual`; use the others when importing a list.")),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      format: "date-time",
      description: "When it expires; null for never. If omitted, 90 days for `bounce`, never for the others.",
    }),
  ),
});

/** Field by field, so that a column added below isn't exposed by accident. */
export function showSuppression(row: SuppressionRow) {
  const { id, project_id, livemode, channel, address, reason, source_id, expires_at, created_at, updated_at } = row;
  return {
    id,
    object: "suppression" as const,
    project_id,
    livemode,
    channel,
    address,
    reason,
    source_id,
    expires_at,
    created_at,
    updated_at,
  };
}
