import { recordAudit } from "#audit/index.ts";
import { callbackQueue, comparisonQueue } from "#gateways/index.ts";
import { paymentQueue, refundQueue } from "#orders/index.ts";
import { type Ctx, listSetAsideJobs, noticeQueue, ownMerchantId, type QueueTable, releaseJobs, type SetAsideJob } from "#platform/index.ts";
import { deliveryQueue } from "#webhooks/index.ts";

/** The queues whose jobs can be set aside. */
function queuesOf({ channels }: Pick<Ctx, "channels">): readonly QueueTable[] {
  return [
    deliveryQueue,
    ...channels.sending.map(({ queue }) => queue),
    noticeQueue,
    paymentQueue,
    refundQueue,
    callbackQueue,
    comparisonQueue,
  ];
}

export function queueNames(ctx: Pick<Ctx, "channels">): string[] {
  return queuesOf(ctx).map(({ name }) => name);
}

/** Jobs of all queues that wait for an operator. */
export async function listAllSetAside(ctx: Ctx): Promise<(SetAsideJob & { queue: string })[]> {
  const found = await Promise.all(
    queuesOf(ctx).map(async (queue) => (await listSetAsideJobs(ctx, queue)).map((job) => ({ ...job, queue: queue.name }))),
  );
  return found.flat();
}

/**
 * Releases jobs that were set aside, so that they are tried again; all of a queue if `jobs` is null. Returns how many, or null if there is
 * no such queue.
 */
export async function releaseSetAside(ctx: Ctx, name: string, jobs: string[] | null): Promise<number | null> {
  const queue = queuesOf(ctx).find((one) => one.name === name);
  if (queue === undefined) return null;
  const released = await releaseJobs(ctx, queue, jobs);
  const entry = { action: "jobs.released", object_type: "queue", object_id: name, detail: { jobs, released } };
  if (released > 0) await ctx.transact((tx) => recordAudit(tx, { ctx, tenant: null, merchant_id: ownMerchantId, ...entry }));
  return released;
}
