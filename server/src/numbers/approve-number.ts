import { recordAudit } from "#audit/index.ts";
import { type Ctx, isUniqueViolation, notice, platformErrors, type Tx } from "#platform/index.ts";
import { channelsOf, checkChannels, checkCountries, countriesOf } from "./check-number.ts";
import { numberErrors } from "./errors.ts";
import { lockNumberOfAny, type NumberChannel, type NumberRow } from "./sql.ts";
import { tenantOf, writeDecision } from "./write-decision.ts";

/** What a number may be used for; what is absent stays as it was asked for. */
export interface NumberTerms {
  channels?: readonly NumberChannel[];
  countries?: readonly string[] | null;
}

/**
 * Lets a project use a number in LIVE; one that it may use already gets the new terms. Repeated, it changes and tells nothing.
 * Throws resource_missing, parameter_invalid, number_taken.
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

/** Approves a row that is locked, and tells the merchant unless nothing changes. Throws parameter_invalid. */
export async function approveRow(tx: Tx, ctx: Ctx, { before, terms, action }: Approval): Promise<NumberRow> {
  checkChannels(before.value, terms.channels);
  checkCountries(terms.countries);
  const channels = terms.channels === undefined ? before.channels : channelsOf(before.value, terms.channels);
  const countries = terms.countries === undefined ? before.countries : countriesOf(terms.countries);
  if (before.status === "approved" && String(channels) === String(before.channels) && String(countries) === String(before.countries)) return before;
  const row = await writeDecision(tx, ctx, { before, decision: { status: "approved", channels, countries } });
  const { id, value, project_id, livemode } = row;
  const detail = { value, previous_status: before.status, channels, countries };
  await recordAudit(tx, { ctx, tenant: tenantOf(row), action, object_type: "number", object_id: id, detail });
  await notice(tx, ctx, { kind: "number_approved", recipient: project_id, params: { project_id, livemode, value, channels, countries } });
  return row;
}

/** Says in words that a number is another project's, which the database alone knows for sure. Throws number_taken. */
export async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, "numbers_of_one_project")) throw numberErrors.number_taken();
    throw error;
  }
}
