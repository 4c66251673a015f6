import { emit } from "#events/index.ts";
import { AppError, type Ctx, notice, type Tenant, type Tx } from "#platform/index.ts";
import { type Spent, updateNotified } from "./spending.sql.ts";
import type { Measure } from "./sql.ts";

/** What a project may spend in a period. */
export interface Cap {
  measure: Measure;
  /** `2026-11-24` or `2026-11`. */
  period: string;
  cap: number;
  /** null: no price table. */
  currency: string | null;
}

const warnedPercent = 80;
const reachedPercent = 100;

/** Notifies of the parts of caps that were reached, once each. */
export async function notifyParts(tx: Tx, ctx: Ctx, reached: readonly (Spent & { tenant: Tenant; cap: Cap })[]): Promise<void> {
  for (const { tenant, cap, used, told } of reached) {
    const level = levelOf(used, cap.cap);
    if (level > told) await notify(tx, ctx, { tenant, cap, level, used });
  }
}

function levelOf(used: number, cap: number): number {
  if (used === 0) return 0;
  return used >= cap ? reachedPercent : used * 100 >= cap * warnedPercent ? warnedPercent : 0;
}

/**
 * Runs work that may be refused because a cap is reached. A refusal rolls everything back, so the notice is written in a separate
 * transaction.
 */
export async function notifyingCaps<T>(ctx: Ctx, tenant: Tenant, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cap = capOf(error);
    if (cap !== null)
      await ctx
        .transactUnclaimed((tx) => notify(tx, ctx, { tenant, cap, level: reachedPercent, used: null }))
        .catch((err: unknown) =>
          ctx.log.error(
            { err, project: tenant.project_id },
            "the notice of a reached cap couldn't be written; the next refusal tries again",
          ),
        );
    throw error;
  }
}

function capOf(error: unknown): Cap | null {
  if (!(error instanceof AppError) || error.extras.reason?.startsWith("spend_cap_") !== true) return null;
  const { measure, period, max, currency } = error.extras.values ?? {};
  return { measure: measure as Measure, period: String(period), cap: Number(max), currency: currency === null ? null : String(currency) };
}

async function notify(tx: Tx, ctx: Ctx, given: { tenant: Tenant; cap: Cap; level: number; used: number | null }): Promise<void> {
  const { tenant, cap, level } = given;
  if (!(await updateNotified(tx, tenant, { ...cap, level }))) return;
  const percent = level === reachedPercent ? "cap_reached" : "cap_warning";
  const data = { cap: { ...cap, percent: level } };
  await emit(tx, ctx, { tenant, events: [{ event: `messaging.${percent}`, object_id: tenant.project_id, data }] });
  await notice(tx, ctx, {
    kind: "spend_cap",
    recipient: tenant.project_id,
    params: { project_id: tenant.project_id, livemode: tenant.livemode, ...cap, level },
  });
}
