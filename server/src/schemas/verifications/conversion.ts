import Type from "typebox";
import type { Tenant } from "#platform/index.ts";
import { type CodeChannel, type ConversionRow, codeChannels } from "#verifications/index.ts";
import { flag, idOf, integer, oneOf, shape, textOrNull } from "../fields/fields.ts";

export type ConversionShape = ReturnType<typeof showConversion>;

/** The maximum number of days in a report. */
export const conversionDaysMax = 90;

export const conversionSchema = shape("VerificationConversion", "Approved verifications by channel and country.", {
  object: oneOf(["verification_conversion"], "Always `verification_conversion`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in TEST."),
  days: integer("How many days the figures cover, up to now."),
  data: Type.Array(
    Type.Object(
      {
        channel: Type.Unsafe<CodeChannel>(oneOf(codeChannels, "The channel that sent the code last.")),
        country: textOrNull("The numbers' country (ISO 3166); null for email addresses."),
        ended: integer("Verifications that have ended."),
        approved: integer("How many of them were approved."),
      },
      { description: "A channel in a country." },
    ),
    { description: "Up to 100 rows, those with the most verifications first." },
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
