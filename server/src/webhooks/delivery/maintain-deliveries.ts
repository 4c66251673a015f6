import { lockNumbering } from "#events/index.ts";
import { type Ctx, notice, notifySetAside, sweepQueue, updatePlanning } from "#platform/index.ts";
import { endOverdueCallbacks } from "../callback/watch-callbacks.ts";
import { skipNoted } from "../endpoint/skip-pending.ts";
import { deleteUnused } from "../endpoint/unused.sql.ts";
import { redactUrl } from "../redact-url.ts";
import { deleteOldAttempts, deleteOldDeliveries, updateSkipped } from "./fan-out.sql.ts";
import { deliveryQueue } from "./sending/claim.sql.ts";
import { lockLongFailing, updateWarned } from "./sending/health.sql.ts";
import { disableEndpoint } from "./sending/note-health.ts";
import { lockLost, releaseDeliveries } from "./sending/release-deliveries.ts";

const retentionDays = 35;
/** Hours of failing without a success after which a merchant is notified; after the last the endpoint is disabled. */
const warnAfterHours = [24, 72];
const disableAfterHours = 120;

/** Makes deliveries due again whose worker was lost, and sets aside those that workers crash on. Returns how many. */
export function reviveExpired(ctx: Ctx, limit = 2_000): Promise<number> {
  return sweepQueue(ctx, deliveryQueue.name, async (tx, classifyResponse) => {
    const expired = await classifyResponse(await lockLost(tx, { limit }));
    await releaseDeliveries(tx, expired);
    const jobs = expired.filter(({ isSetAside }) => isSetAside).map(({ endpoint_id, event_id }) => `${endpoint_id}/${event_id}`);
    await notifySetAside(tx, ctx, { queue: deliveryQueue.name, jobs });
    return expired.length;
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
 * success. Only depends on time, so it covers quiet endpoints too.
 */
export function watchFailing(ctx: Ctx, limit = 100): Promise<number> {
  return ctx.transact(async (tx) => {
    const endpoints = await lockLongFailing(tx, { afterHours: [...warnAfterHours, disableAfterHours], limit });
    for (const { warnings: _warnings, merchant_id, failing_hours, ...endpoint } of endpoints) {
      if (failing_hours >= disableAfterHours) {
        await disableEndpoint(tx, ctx, { key: endpoint, reason: "failing" });
        continue;
      }
      const { id, url, project_id, livemode, failing_since } = endpoint;
      const reached = warnAfterHours.findLastIndex((hours) => failing_hours >= hours);
      await updateWarned(tx, endpoint, reached + 1);
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
    return endpoints.length;
  });
}
