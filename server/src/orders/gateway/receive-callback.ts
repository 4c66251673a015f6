import {
  type CallbackJob,
  callbackQueue,
  claimCallbacks,
  GatewayError,
  type Incoming,
  type Taken,
  takeCallback,
  updateCallbackApplied,
  updateCallbackRetried,
} from "#gateways/index.ts";
import { type Ctx, createWorkPool, type Db, type Pooled, type WorkPool } from "#platform/index.ts";
import { dayMs } from "../polling/calendar.ts";
import { listCredentialsOfPayment } from "../rows/find-gateway-payments.sql.ts";
import { applyCallback } from "./apply-callback.ts";
import { closeUnanswered, reportUnanswered } from "./unanswered-callback.ts";

/** Providers only wait some seconds for a response. Work that takes longer continues afterwards. */
const timeoutMs = 3_000;
/** When a callback is retried if its provider had to be asked and didn't respond. After these tries a person is told. */
const retryMs = [60_000, 300_000, 3_600_000, 86_400_000];
/** It's asked daily from then on, because it may be about a payment that nothing else asks about: this many tries in all. */
const maxTries = 34;

/** How many callbacks the receiving process applies at once, leaving room for other payments in the same groups; workers apply the rest. */
const maxAtOnce = 1_024;
const inProgress = new WeakMap<Db, number>();

/** Accepts a provider's callback: verified, stored, applied under the order's lock, and acknowledged once it is stored. */
export async function receiveCallback(ctx: Ctx, incoming: Omit<Incoming, "listPlaces" | "isAppliedNow">): Promise<Taken> {
  const { gateway } = incoming;
  const isAppliedNow = (inProgress.get(ctx.db) ?? 0) < maxAtOnce;
  const change = (by: number) => inProgress.set(ctx.db, (inProgress.get(ctx.db) ?? 0) + by);
  if (isAppliedNow) change(1);
  let applying: Promise<unknown> = Promise.resolve();
  try {
    const taken = await takeCallback(ctx, {
      ...incoming,
      isAppliedNow,
      listPlaces: ({ reference, providerId }) => listCredentialsOfPayment(ctx.db, { gateway, reference, providerId }),
    });
    if (isAppliedNow) applying = applyTaken(ctx, taken);
    await patiently(applying);
    return taken;
  } finally {
    if (isAppliedNow) void applying.finally(() => change(-1));
  }
}

/** It is stored: if anything fails here, a worker does it. */
async function applyTaken(ctx: Ctx, { callback, opened }: Taken): Promise<void> {
  if (callback === null) return;
  await applyCallback(ctx, callback, opened ?? undefined).catch((err: unknown) =>
    ctx.log.warn({ err, callback: callback.id, gateway: callback.gateway }, "a callback couldn't be applied right away"),
  );
}

async function patiently(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs).unref();
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

const pooled: Pooled<CallbackJob> = {
  queue: callbackQueue,
  leaseMs: 60_000,
  // As many as a group holds.
  most: 64,
  topic: "gateway_callbacks",
  jobOf: ({ id }) => id,
  claim: claimCallbacks,
  async work(ctx, job) {
    try {
      await applyCallback(ctx, job);
      if (job.attempts > retryMs.length) await closeUnanswered(ctx, job);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      await retryLater(ctx, job, error);
    }
  },
};

async function retryLater(ctx: Ctx, job: CallbackJob, { code }: GatewayError): Promise<void> {
  const about = { callback: job.id, gateway: job.gateway, event: job.event, code };
  if (job.attempts > retryMs.length) await reportUnanswered(ctx, job);
  if (job.attempts >= maxTries) {
    ctx.log.error(about, "a callback is no longer tried: its provider doesn't say what it's about");
    await ctx.transact((tx) => updateCallbackApplied(tx, job, "nothing"));
    return;
  }
  ctx.log.warn(about, "a callback couldn't be applied; trying again");
  await ctx.transact((tx) => updateCallbackRetried(tx, job, retryMs[job.attempts - 1] ?? dayMs));
}

/** One process's share of applying stored callbacks whose process was lost. */
export function createCallbackApplier(): WorkPool {
  return createWorkPool(pooled);
}
