import { setTimeout as sleep } from "node:timers/promises";
import { type Ctx, createLeaseNames } from "#platform/index.ts";
import type { BindHold, HeldBind } from "./bind-hold.ts";
import { deleteBindLease, insertBindLease, updateBindLease } from "./sql.ts";

/** When a bind can be taken over, how often its lease is extended, and how often to try to take one. */
export interface HoldTimes {
  leaseMs: number;
  extendEveryMs: number;
  retryEveryMs: number;
}

const usualTimes: HoldTimes = { leaseMs: 30_000, extendEveryMs: 8_000, retryEveryMs: 3_000 };

type Given = Pick<Ctx, "db" | "id" | "log">;

/** Binds as leased rows: if a process dies, another holds its binds half a minute later. */
export function createBindHold(ctx: Given, times: HoldTimes = usualTimes): BindHold {
  const names = createLeaseNames();
  return {
    async take(name, signal) {
      const lease = names.next(ctx);
      while (!signal.aborted) {
        if (await tryTake(ctx, { name, lease, durationMs: times.leaseMs })) return keepHeld(ctx, { name, lease, times });
        await pause(times.retryEveryMs, signal);
      }
      return null;
    },
  };
}

async function tryTake(ctx: Given, given: Parameters<typeof insertBindLease>[1]): Promise<boolean> {
  try {
    return await insertBindLease(ctx.db, given);
  } catch (error) {
    ctx.log.warn({ bind: given.name, reason: (error as Error).message }, "whether a bind to a carrier is free couldn't be checked");
    return false;
  }
}

function keepHeld(ctx: Given, { name, lease, times }: { name: string; lease: string; times: HoldTimes }): HeldBind {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  const ended = new AbortController();
  void (async () => {
    // From before the query: the database starts counting later.
    let heldSince = performance.now();
    while (!ended.signal.aborted) {
      await pause(times.extendEveryMs, ended.signal);
      if (ended.signal.aborted) return;
      const startMs = performance.now();
      const isHeld = await updateBindLease(ctx.db, { name, lease, durationMs: times.leaseMs }).catch(() => null);
      if (isHeld === true) heldSince = startMs;
      // While the database is unavailable, no other process can take it either, until the lease ends.
      if (isHeld === false || performance.now() - heldSince > times.leaseMs - times.extendEveryMs) return lose();
    }
  })();
  return {
    lost,
    async release() {
      ended.abort();
      await deleteBindLease(ctx.db, { name, lease }).catch((error: Error) =>
        ctx.log.warn({ bind: name, reason: error.message }, "a bind to a carrier couldn't be returned; it's free when its lease expires"),
      );
    },
  };
}

/** Ends early when the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
