import { lockNumbering } from "#events/index.ts";
import {
  beginPass,
  type Ctx,
  isUnavailable,
  notice,
  notifySetAside,
  sweepQueue,
  type Tenant,
  type Tx,
  updatePlanning,
  writeEach,
} from "#platform/index.ts";
import { endOverdueCallbacks } from "../callback/watch-callbacks.ts";
import { skipNoted } from "../endpoint/skip-pending.ts";
import { deleteUnused } from "../endpoint/unused.sql.ts";
import { redactUrl } from "../redact-url.ts";
import { deleteOldAttempts, deleteOldDeliveries, updateSkipped } from "./fan-out.sql.ts";
import { deliveryQueue } from "./sending/claim.sql.ts";
import { type FailingEndpoint, listLongFailing, lockLongFailing, updateWarned } from "./sending/health.sql.ts";
import { disableEndpoint } from "./sending/note-health.ts";
import { jobOf, lockLost, releaseDeliveries } from "./sending/release-deliveries.ts";

const retentionDays = 35;
/** Hours of failing without a success after which a merchant is notified; after the last the endpoint is disabled. */
const warnAfterHours = [24, 72];
const disableAfterHours = 120;
const longFailing = { afterHours: [...warnAfterHours, disableAfterHours], disableAfterHours, triedWithinHours: 24 };

/** Makes deliveries due again whose worker was lost, and sets aside those that workers crash on. Returns how many. */
export function reviveExpired(ctx: Ctx, limit = 2_000): Promise<number> {
  return sweepQueue(ctx, deliveryQueue.name, async (tx, classifyResponse) => {
    const pass = beginPass(ctx, { task: "revive_deliveries", kind: "delivery" });
    const expired = await classifyResponse(await lockLost(tx, { limit, without: pass.waiting }));
    const written = await writeEach(tx, pass, {
      rows: expired,
      nameOf: (row) => jobOf(row),
      ownerOf: ({ project_id }) => project_id,
      async write(inner, some) {
        await releaseDeliveries(inner, some);
        return some;
      },
    });
    const released = written.flat();
    await notifySetAside(tx, ctx, { queue: deliveryQueue.name, jobs: released.filter(({ isSetAside }) => isSetAside).map(jobOf) });
    if (expired.length < limit) pass.end();
    return released.length;
  });
}

/**
 * Skips pending deliveries of disabled and deleted endpoints, ends callbacks that have waited too long, and deletes what is past its
 * retention: deliveries, attempts, and then the deleted endpoints and receivers of callbacks that they belonged to.
 */
export async function tidyDeliveries(ctx: Ctx, limit = 1_000): Promise<number> {
  let done = (await skipNoted(ctx)) + (await endOverdueCallbacks(ctx));
  done += await ctx.transact((tx) => updateSkipped(tx, limit));
  done += await ctx.transact((tx) => deleteOldDeliveries(tx, retentionDays, limit));
  done += await ctx.transact((tx) => deleteOldAttempts(tx, retentionDays, limit));
  return done + (await tidyEndpoints(ctx));
}

async function tidyEndpoints(ctx: Ctx, limit = 200): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    await lockNumbering(tx);
    return deleteUnused(tx, retentionDays, limit);
  });
}

/**
 * Notifies merchants of endpoints that have been failing for one and for three days, and disables those that failed for five without a
 * success, if they also failed within the last day. Each is a transaction of its own, so that none holds up the others.
 */
export async function watchFailing(ctx: Ctx, limit = 100): Promise<number> {
  let done = 0;
  for (const key of await listLongFailing(ctx.db, { ...longFailing, limit })) if (await watchOne(ctx, key)) done += 1;
  return done;
}

/** False if there is nothing to do, or it failed: it is looked at again with the next run. */
async function watchOne(ctx: Ctx, key: Tenant & { id: string }): Promise<boolean> {
  try {
    return await ctx.transact(async (tx) => {
      const failing = await lockLongFailing(tx, key, longFailing);
      if (failing === null) return false;
      if (failing.failing_hours >= disableAfterHours) await disableEndpoint(tx, ctx, { key, reason: "failing" });
      else await warnOf(tx, ctx, failing);
      return true;
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error({ err: error, endpoint: key.id }, "a failing endpoint couldn't be disabled, or its merchant notified; trying again");
    return false;
  }
}

async function warnOf(tx: Tx, ctx: Ctx, failing: FailingEndpoint): Promise<void> {
  const { id, url, project_id, livemode, failing_since, failing_hours, merchant_id } = failing;
  const reached = warnAfterHours.findLastIndex((hours) => failing_hours >= hours);
  await updateWarned(tx, failing, reached + 1);
  const params = {
    webhook_id: id,
    url: redactUrl(url),
    project_id,
    livemode,
    failing_since,
    hours: warnAfterHours[reached],
    disabled_after_hours: disableAfterHours,
  };
  await notice(tx, ctx, { kind: "webhook.failing", recipient: merchant_id, params });
}
