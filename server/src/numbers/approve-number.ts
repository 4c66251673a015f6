import { recordAudit } from "#audit/index.ts";
import { type Ctx, isUniqueViolation, notice, platformErrors, type Tx } from "#platform/index.ts";
import { channelsOf, checkChannels, checkCountries, countriesOf } from "./check-number.ts";
import { numberErrors } from "./errors.ts";
import { lockNumberOfAny, type NumberChannel, type NumberRow } from "./sql.ts";
import { tenantOf, writeDecision } from "./write-decision.ts";

/** What a number may be used for; absent terms stay as requested. */
export interface NumberTerms {
  channels?: readonly NumberChannel[];
  countries?: readonly string[] | null;
}

/**
 * Allows a project to use a number in LIVE; an approved one gets the new terms. Repeating it changes nothing and emits no event. Throws
 * resource_missing, parameter_invalid, number_taken.
 */
export function approveNumber(ctx: Ctx, { id, ...terms }: NumberTerms & { id: string }): Promise<NumberRow> {
  return refusingTaken(() =>
    ctx.transact(async (tx) => {
      const before = await lockNumberOfAny(tx, id);
      if (before === null) throw platformErrors.resource_missing({ param: "id" });
      return approveRow(tx, ctx, { before, terms, action: "number.approved" });
    }),
  );
}

interface Approval {
  before: NumberRow;
  terms: NumberTerms;
  action: "number.approved" | "number.assigned";
}

/** Approves a locked row, and notifies the merchant unless nothing changes. Throws parameter_invalid. */
export async function approveRow(tx: Tx, ctx: Ctx, { before, terms, action }: Approval): Promise<NumberRow> {
  checkChannels(before.value, terms.channels);
  checkCountries(terms.countries);
  const channels = terms.channels === undefined ? before.channels : channelsOf(before.value, terms.channels);
  const countries = terms.countries === undefined ? before.countries : countriesOf(terms.countries);
  if (before.status === "approved" && String(channels) === String(before.channels) && String(countries) === String(before.countries))
    return before;
  const row = await writeDecision(tx, ctx, { before, decision: { status: "approved", channels, countries } });
  const { id, value, project_id, livemode } = row;
  const detail = { value, previous_status: before.status, channels, countries };
  await recordAudit(tx, { ctx, tenant: tenantOf(row), action, object_type: "number", object_id: id, detail });
  await notice(tx, ctx, { kind: "number_approved", recipient: project_id, params: { project_id, livemode, value, channels, countries } });
  return row;
}

/** Reports that a number belongs to another project, which only the database knows for certain. Throws number_taken. */
export async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "numbers_of_one_project")) throw numberErrors.number_taken();
    throw error;
  }
}
