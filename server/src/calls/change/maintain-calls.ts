import { atNow, type Ctx, findNow, sweepRows, updatePlanning } from "#platform/index.ts";
import type { CallKey } from "../shapes.ts";
import { changeCalls } from "./change-calls.ts";
import { callFault } from "./faults.ts";
import { listOverdue, listWaiting, updateCleared } from "./sql.ts";

const portion = 500;
const retentionMs = 30 * 86_400_000;

/** Makes scheduled calls due. Returns how many. */
export function releaseCalls(ctx: Ctx): Promise<number> {
  return sweepRows<CallKey>(ctx, {
    task: "release_calls",
    kind: "call",
    limit: portion,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return listWaiting(tx, wanted);
    },
    nameOf: ({ id }) => id,
    async work(tx, keys) {
      const pinned = await atNow(ctx, tx);
      const now = pinned.now();
      await changeCalls(tx, pinned, {
        keys,
        change: ({ state, due_at }) => (state === "waiting" && due_at <= now ? { to: { status: "queued", state: "due" } } : null),
      });
      return keys.length;
    },
  });
}

/**
 * Fails calls that weren't placed in time: no line was free, the merchant's sending was suspended, or an operator has yet to release them.
 * Returns how many.
 */
export function expireCalls(ctx: Ctx): Promise<number> {
  return sweepRows<CallKey>(ctx, {
    task: "expire_calls",
    kind: "call",
    limit: portion,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return listOverdue(tx, wanted);
    },
    nameOf: ({ id }) => id,
    async work(tx, keys) {
      const pinned = await atNow(ctx, tx);
      const now = pinned.now();
      await changeCalls(tx, pinned, {
        keys,
        change: ({ state, expires_at }) =>
          (state === "due" || state === "set_aside") && expires_at <= now
            ? { to: { status: "failed", ended_at: now, error: callFault("expired") } }
            : null,
      });
      return keys.length;
    },
  });
}

/** Deletes the texts and keys of calls thirty days after their end; the calls remain. Returns how many. */
export function clearCallTexts(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => updateCleared(tx, { before: new Date((await findNow(tx)).getTime() - retentionMs), limit: portion }));
}
