import { atNow, type Ctx } from "#platform/index.ts";
import { changeCall } from "../change/change-calls.ts";
import type { CallRow } from "../shapes.ts";
import type { ClaimedCall } from "./claim-calls.ts";

/**
 * Records that the network is about to be asked to place the call: from this commit on it is never placed again, whatever happens to this
 * process. `gone`: it isn't this worker's anymore. `unwanted`: a hang-up was requested in the meantime.
 */
export function beginCall(ctx: Ctx, { call, lease }: ClaimedCall, provider: string): Promise<"started" | "gone" | "unwanted"> {
  return ctx.transact(async (tx) => {
    const pinned = await atNow(ctx, tx);
    let found: "started" | "gone" | "unwanted" = "gone";
    await changeCall(tx, pinned, {
      key: keyOf(call),
      change(held) {
        if (held.state !== "leased" || held.lease !== lease || held.status !== "queued") return null;
        found = held.hangup_asked_at === null ? "started" : "unwanted";
        return found === "started" ? { to: { status: "initiated", started_at: pinned.now(), provider } } : null;
      },
    });
    return found;
  });
}

export function keyOf({ project_id, livemode, id }: CallRow): Pick<CallRow, "project_id" | "livemode" | "id"> {
  return { project_id, livemode, id };
}
