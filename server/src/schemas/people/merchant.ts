import Type, { type Static } from "typebox";
import type { MerchantRow } from "#identity/index.ts";
import { tiers } from "#messaging/index.ts";
import { idOf, instant, instantOrNull, oneOf } from "../fields/fields.ts";

export const merchantSchema = Type.Object(
  {
    id: idOf("mer", "The merchant's ID."),
    object: oneOf(["merchant"], "Always `merchant`."),
    display_name: Type.String({ description: "The name people see.", examples: ["Acme Ltd"] }),
    verification_status: oneOf(["pending", "verified", "rejected"], "Only a verified merchant can accept LIVE payments."),
    verified_at: instantOrNull("When the merchant was verified."),
    messaging_tier: oneOf(tiers, "The tier that sets the messaging API's limits."),
    shortfall_tolerance_bps: Type.Integer({
      description: "How much less than the amount due a reviewer can accept without confirming it, in hundredths of a percent.",
      examples: [100],
    }),
    second_step_required: Type.Boolean({ description: "Whether all members need two-step sign-in or a passkey.", examples: [false] }),
    version: Type.Integer({ description: "Increases by one with every change.", examples: [1] }),
    created_at: instant("When the account was created."),
    updated_at: instant("When it was last updated."),
  },
  { $id: "Merchant", description: "A merchant account: it owns projects." },
);

export type MerchantShape = Static<typeof merchantSchema>;

export function showMerchant(row: MerchantRow): MerchantShape {
  return {
    id: row.id,
    object: "merchant",
    display_name: row.display_name,
    verification_status: row.verification_status,
    verified_at: row.verified_at,
    messaging_tier: row.messaging_tier,
    shortfall_tolerance_bps: row.shortfall_tolerance_bps,
    second_step_required: row.second_step_required,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
