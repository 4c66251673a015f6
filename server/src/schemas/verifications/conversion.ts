import Type from "typebox";
import type { Tenant } from "#platform/index.ts";
import { type CodeChannel, type ConversionRow, codeChannels } from "#verifications/index.ts";
import { flag, idOf, integer, oneOf, shape, textOrNull } from "../fields/fields.ts";

export type ConversionShape = ReturnType<typeof showConversion>;

/** The most days that are looked at. */
export const conversionDaysMax = 90;

export const conversionSchema = shape("VerificationConversion", "How many verifications were approved, by channel and country.", {
  object: oneOf(["verification_conversion"], "Always `verification_conversion`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  days: integer("How many days until now it is about."),
  data: Type.Array(
    Type.Object(
      {
        channel: Type.Unsafe<CodeChannel>(oneOf(codeChannels, "By which the code was sent last.")),
        country: textOrNull("The country of the numbers, ISO 3166; null for addresses."),
        ended: integer("Verifications that have ended."),
        approved: integer("Those of them that were approved."),
      },
      { description: "A channel in a country." },
    ),
    { description: "Those with the most verifications first, 100 at most." },
  ),
});

export function showConversion({ project_id, livemode }: Tenant, { days, rows }: { days: number; rows: readonly ConversionRow[] }) {
  return {
    object: "verification_conversion" as const,
    project_id,
    livemode,
    days,
    data: rows.map(({ channel, country, ended, approved }) => ({ channel, country, ended, approved })),
  };
}
