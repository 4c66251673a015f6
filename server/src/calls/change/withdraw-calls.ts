import type { Ctx, Tx } from "#platform/index.ts";
import type { CallKey } from "../shapes.ts";
import { isEnded } from "../states.ts";
import { changeCalls } from "./change-calls.ts";

/** Cancels those of some calls that no worker has; calls in progress and ended ones don't change. */
export async function withdrawCalls(tx: Tx, pinned: Ctx, keys: readonly CallKey[]): Promise<void> {
  const now = pinned.now();
  await changeCalls(tx, pinned, {
    keys,
    change: ({ status, state }) =>
      isEnded(status) || state === "leased"
        ? null
        : { to: { status: "canceled", hangup_by: "caller", hangup_asked_at: now, ended_at: now } },
  });
}
