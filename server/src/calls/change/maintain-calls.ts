import { type Ctx, findNow, sweepDue } from "#platform/index.ts";
import type { CallKey } from "../shapes.ts";
import { changeCalls } from "./change-calls.ts";
import { callFault } from "./faults.ts";
import { listOverdue, listWaiting, updateCleared } from "./sql.ts";

const portion = 500;
const retentionMs = 30 * 86_400_000;

/** Makes scheduled calls due. Returns how many. */
export function releaseCalls(ctx: Ctx): Promise<number> {
  return sweepDue<CallKey>(ctx, {
    task: "release_calls",
    kind: "call",
    limit: portion,
    list: listWaiting,
    async change(tx, pinned, keys) {
      const now = pinned.now();
      await changeCalls(tx, pinned, {
        keys,
        change: ({ state, due_at }) => (state === "waiting" && due_at <= now ? { to: { status: "queued", state: "due" } } : null),
      });
    },
  });
}

/**
 * Fails calls that weren't placed in time: no line was free, the merchant's sending was suspended, or an operator has yet to release them.
 * Returns how many.
 */
export function expireCalls(ctx: Ctx): Promise<number> {
  return sweepDue<CallKey>(ctx, {
    task: "expire_calls",
    kind: "call",
    limit: portion,
    list: listOverdue,
    async change(tx, pinned, keys) {
      const now = pinned.now();
      await changeCalls(tx, pinned, {
        keys,
        change: ({ state, expires_at }) =>
          (state === "due" || state === "set_aside") && expires_at <= now
            ? { to: { status: "failed", ended_at: now, error: callFault("expired") } }
            : null,
      });
    },
  });
}

/** Deletes the texts and keys of calls thirty days after their end; the calls remain. Returns how many. */
export function clearCallTexts(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => updateCleared(tx, { before: new Date((await findNow(tx)).getTime() - retentionMs), limit: portion }));
}
