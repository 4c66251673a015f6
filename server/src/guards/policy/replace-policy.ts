import { recordAudit, withPrevious } from "#audit/index.ts";
import { isCountry } from "#messaging/index.ts";
import { type Ctx, type ErrorDetail, ownMerchantId, platformErrors } from "#platform/index.ts";
import { findPolicyRow, lockPolicy, type PolicyRow, type PolicyTerms, updatePolicy } from "./policy.sql.ts";

export function findPolicy(ctx: Pick<Ctx, "db">): Promise<PolicyRow> {
  return findPolicyRow(ctx.db);
}

/** Sets where LIVE SMS and calls of all projects may go. Throws parameter_invalid with all faults at once, version_conflict. */
export async function replacePolicy(ctx: Ctx, { if_version, ...given }: PolicyTerms & { if_version: number | null }): Promise<PolicyRow> {
  const terms = readTerms(given);
  return ctx.transact(async (tx) => {
    const before = await lockPolicy(tx);
    if (if_version !== null && if_version !== before.version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    const row = await updatePolicy(tx, terms);
    const detail = withPrevious({ ...terms }, { ...before });
    await recordAudit(tx, {
      ...{ ctx, tenant: null, merchant_id: ownMerchantId, action: "messaging_policy.updated" },
      ...{ object_type: "messaging_policy", object_id: null, detail },
    });
    return row;
  });
}

function readTerms(given: PolicyTerms): PolicyTerms {
  const names = ["allowed_countries", "denied_countries"] as const;
  const faults = names.flatMap((name) => countryFaults(given[name] ?? [], name));
  const [first] = faults;
  if (first !== undefined) throw platformErrors.parameter_invalid({ param: first.param, message: first.message, details: faults });
  return {
    allowed_countries: given.allowed_countries === null ? null : sorted(given.allowed_countries),
    denied_countries: sorted(given.denied_countries),
    denied_prefixes: sorted(given.denied_prefixes),
    opened_prefixes: sorted(given.opened_prefixes),
  };
}

/** The faults of a list of countries. */
export function countryFaults(codes: readonly string[], param: string): ErrorDetail[] {
  return codes.flatMap((value, index) =>
    isCountry(value)
      ? []
      : [
          {
            ...{ param: `${param}[${index}]`, code: "parameter_invalid", reason: "not_a_country", values: { value } },
            message: `${value} isn't a country code. Use ISO 3166-1 alpha-2, such as CN.`,
          },
        ],
  );
}

/** Without duplicates, in a fixed order. */
export function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
