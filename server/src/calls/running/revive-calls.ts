import { atNow, beginPass, type Ctx, lockExpired, notifySetAside, sweepQueue, type Tx, writeEach } from "#platform/index.ts";
import { type Change, changeCalls } from "../change/change-calls.ts";
import { callFault } from "../change/faults.ts";
import { requeued } from "../change/requeued.ts";
import { callQueue } from "../channel/tables.sql.ts";
import { lockCalls } from "../rows.sql.ts";
import type { CallKey, CallRow } from "../shapes.ts";
import { isStarted } from "../states.ts";
import { listExpired } from "./claim.sql.ts";

const portion = 2_000;

/**
 * Ends or requeues calls of lost workers: a call that was passed to the network has failed, because it is unknown what the callee heard.
 * Any other is due again, or set aside if workers keep dying of it. Returns how many.
 */
export function reviveCalls(ctx: Ctx): Promise<number> {
  return sweepQueue(ctx, callQueue.name, async (tx, classify) => {
    const pass = beginPass(ctx, { task: "revive_calls", kind: "call" });
    const keys = await listExpired(tx, { limit: portion, without: pass.waiting });
    if (keys.length === 0) {
      pass.end();
      return 0;
    }
    // Changes lock the rows of calls in the same order everywhere.
    await lockCalls(tx, keys);
    const ids = keys.map(({ id }) => id);
    const expired = await lockExpired<{ id: string }>(tx, callQueue, {
      limit: portion,
      among: (tag) => tag`and q.id = any(${ids}::text[])`,
      columns: (tag) => tag`, q.id`,
    });
    const verdicts = new Map((await classify(expired)).map((one) => [one.id, one]));
    const aside = await writeEach(tx, pass, {
      rows: keys,
      nameOf: ({ id }) => id,
      ownerOf: ({ project_id }) => project_id,
      write: (inner, some) => releaseLost(inner, ctx, { keys: some, verdicts }),
    });
    await notifySetAside(tx, ctx, { queue: callQueue.name, jobs: aside.flat() });
    if (keys.length < portion) pass.end();
    return verdicts.size;
  });
}

interface Verdict {
  deaths: number;
  isSetAside: boolean;
  wait_ms: number;
}

/** Takes calls out of their expired leases; returns those that are set aside. */
async function releaseLost(
  tx: Tx,
  ctx: Ctx,
  { keys, verdicts }: { keys: readonly CallKey[]; verdicts: ReadonlyMap<string, Verdict> },
): Promise<string[]> {
  const pinned = await atNow(ctx, tx);
  const aside: string[] = [];
  await changeCalls(tx, pinned, {
    keys,
    change(call): Change | null {
      const verdict = verdicts.get(call.id);
      if (verdict === undefined) return null;
      if (isStarted(call.status)) return { to: lostOf(pinned.now()) };
      if (verdict.isSetAside) {
        aside.push(call.id);
        return { to: { state: "set_aside", deaths: verdict.deaths } };
      }
      const now = pinned.now();
      return { to: { ...requeued(call, { now, due_at: new Date(now.getTime() + verdict.wait_ms) }), deaths: verdict.deaths } };
    },
  });
  return aside;
}

/** It is unknown how long it lasted. */
function lostOf(now: Date): Partial<CallRow> {
  return { status: "failed", ended_at: now, error: callFault("worker_lost") };
}
