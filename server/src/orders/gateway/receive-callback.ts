import {
  type CallbackJob,
  callbackQueue,
  claimCallbacks,
  GatewayError,
  type Incoming,
  type StoredCallback,
  type Taken,
  takeCallback,
  updateCallbackApplied,
  updateCallbackRetried,
} from "#gateways/index.ts";
import { type Ctx, createWorkPool, type Pooled, type WorkPool } from "#platform/index.ts";
import { listCredentialsOfPayment } from "../rows/gateway-payments.sql.ts";
import { applyCallback } from "./apply-callback.ts";

/** Providers wait some seconds for their answer. What takes longer goes on behind it. */
const patienceMs = 3_000;
/** When a callback is tried again whose provider had to be asked and didn't say; then it is left to the payment's own questions. */
const retryMs = [60_000, 300_000, 3_600_000, 86_400_000];

/** Takes a provider's callback: verified, stored, applied under the order's lock, and answered once it is safe with us. */
export async function receiveCallback(ctx: Ctx, incoming: Omit<Incoming, "listPlaces">): Promise<Taken> {
  const { gateway } = incoming;
  const taken = await takeCallback(ctx, {
    ...incoming,
    listPlaces: ({ reference, providerId }) => listCredentialsOfPayment(ctx.db, { gateway, reference, providerId }),
  });
  if (taken.callback !== null) await applySoon(ctx, taken.callback);
  return taken;
}

/** It is stored: what fails here is done by a worker. */
async function applySoon(ctx: Ctx, callback: StoredCallback): Promise<void> {
  const applying = applyCallback(ctx, callback).catch((err: unknown) =>
    ctx.log.warn({ err, callback: callback.id, gateway: callback.gateway }, "a callback could not be applied at once"),
  );
  const patience = new Promise<void>((resolve) => void setTimeout(resolve, patienceMs).unref());
  await Promise.race([applying, patience]);
}

const pooled: Pooled<CallbackJob> = {
  queue: callbackQueue,
  leaseMs: 60_000,
  most: 16,
  topic: "gateway_callbacks",
  claim: claimCallbacks,
  async work(ctx, job) {
    try {
      await applyCallback(ctx, job);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const waitMs = retryMs[job.attempts - 1];
      const about = { callback: job.id, gateway: job.gateway, event: job.event, code: error.code };
      if (waitMs === undefined) {
        ctx.log.error(about, "a callback is given up: its provider does not say what it is about");
        await ctx.transact((tx) => updateCallbackApplied(tx, job, "nothing"));
        return;
      }
      ctx.log.warn(about, "a callback could not be applied; trying again");
      await ctx.transact((tx) => updateCallbackRetried(tx, job, waitMs));
    }
  },
};

/** One process's part in applying callbacks that were stored and whose process was lost. */
export function createCallbackApplier(): WorkPool {
  return createWorkPool(pooled);
}
