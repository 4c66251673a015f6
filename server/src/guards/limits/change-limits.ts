import { recordAudit, withPrevious } from "#audit/index.ts";
import { atNow, type Ctx, type ErrorDetail, notice, platformErrors, type Tx } from "#platform/index.ts";
import { countryFaults, sorted } from "../policy/replace-policy.ts";
import type { SomeCaps } from "./caps.ts";
import { type FoundLimits, findLimits } from "./find-limits.ts";
import { findLimitsRow, type LimitTerms, lockLimits, type ProjectLimits, updateLimits } from "./limits.sql.ts";
import { isAllowed, listCountries } from "./list-countries.ts";
import { lengthOf, minutesOf, type QuietHours, quietKinds } from "./quiet-hours.ts";

interface Change {
  project_id: string;
  if_version: number | null;
}

/** What a project's owner can change; absent fields don't change. */
export interface LimitChange extends Change {
  countries?: string[] | null;
  /** By name; null resets one. */
  caps?: SomeCaps;
  quiet_hours?: Partial<QuietHours>;
}

const quietHoursMax = 14;

/**
 * Changes a project's own limits for its LIVE SMS and calls. Its owners are notified if it reaches more countries than before: a thief
 * would change that first. Throws resource_missing, version_conflict, parameter_invalid with all faults at once.
 */
export function changeLimits(ctx: Ctx, { countries, caps = {}, quiet_hours = {}, ...named }: LimitChange): Promise<FoundLimits> {
  return change(ctx, named, async (tx, before) => {
    refuseFaults([...(countries == null ? [] : countryChoiceFaults(countries, before)), ...quietFaults(quiet_hours)]);
    const terms: LimitTerms = {
      countries: countries === undefined ? before.countries : countries === null ? null : sorted(countries),
      caps: merged(before.caps, caps),
      operator_caps: before.operator_caps,
      quiet_hours: { ...before.quiet_hours, ...quiet_hours },
    };
    const known = new Set(listCountries(before));
    const added = listCountries({ ...before, countries: terms.countries }).filter((country) => !known.has(country));
    if (added.length > 0) {
      const at = (await atNow(ctx, tx)).now().toISOString();
      const params = { project_id: before.project_id, livemode: true, countries: added, changed_by: ctx.actor.id, at };
      await notice(tx, ctx, { kind: "countries_added", recipient: before.merchant_id, params });
    }
    return terms;
  });
}

/** Changes the caps that operators set for a project above or below its tier. Throws resource_missing, version_conflict. */
export function changeOperatorCaps(ctx: Ctx, { operator_caps, ...named }: Change & { operator_caps: SomeCaps }): Promise<FoundLimits> {
  return change(ctx, named, async (_tx, before) => ({ ...before, operator_caps: merged(before.operator_caps, operator_caps) }));
}

async function change(
  ctx: Ctx,
  { project_id, if_version }: Change,
  decide: (tx: Tx, before: ProjectLimits) => Promise<LimitTerms>,
): Promise<FoundLimits> {
  return ctx.transact(async (tx) => {
    await lockLimits(tx, project_id);
    const before = await findLimitsRow(tx, project_id);
    if (before === null) throw platformErrors.resource_missing({ param: "id" });
    if (if_version !== null && if_version !== before.version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    const { countries, caps, operator_caps, quiet_hours } = await decide(tx, before);
    const terms = { countries, caps, operator_caps, quiet_hours };
    await updateLimits(tx, project_id, terms);
    await recordAudit(tx, {
      ...{
        ctx,
        tenant: { project_id, livemode: true },
        action: "messaging_limits.updated",
        object_type: "messaging_limits",
        object_id: project_id,
      },
      detail: withPrevious({ ...terms }, { ...before }),
    });
    return findLimits({ db: tx, guards: ctx.guards }, project_id);
  });
}

/** The earlier values with the given ones; null resets one. */
function merged(before: SomeCaps, given: SomeCaps): SomeCaps {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value != null));
}

function refuseFaults(faults: ErrorDetail[]): void {
  const [first] = faults;
  if (first !== undefined) throw platformErrors.parameter_invalid({ param: first.param, message: first.message, details: faults });
}

function countryChoiceFaults(countries: readonly string[], { policy }: ProjectLimits): ErrorDetail[] {
  const unknown = countryFaults(countries, "countries");
  const denied = countries.flatMap((value, index) =>
    isAllowed(policy, value)
      ? []
      : [
          {
            ...{ param: `countries[${index}]`, code: "parameter_invalid", reason: "denied_by_operator", values: { value } },
            message: `The operator doesn't allow messages and calls to ${value}.`,
          },
        ],
  );
  return [...unknown, ...denied.filter(({ param }) => unknown.every((fault) => fault.param !== param))];
}

function quietFaults(quiet: Partial<QuietHours>): ErrorDetail[] {
  return quietKinds.flatMap((kind) => {
    const span = quiet[kind];
    if (span == null) return [];
    const hours = lengthOf(span) / 60;
    if (hours > 0 && hours <= quietHoursMax && minutesOf(span.from) < 1_440) return [];
    return [
      {
        ...{ param: `quiet_hours.${kind}`, code: "parameter_invalid", reason: "quiet_hours_length", values: { max: quietHoursMax } },
        message: `Quiet hours must end at a different time than they begin, and last at most ${quietHoursMax} hours.`,
      },
    ];
  });
}
