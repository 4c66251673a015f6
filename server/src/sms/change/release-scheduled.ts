import { atNow, type Ctx, hint, updatePlanning } from "#platform/index.ts";
import { changeSms } from "./change-sms.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/** Makes messages due: scheduled ones, and further attempts. Returns how many. */
export async function releaseScheduled(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const pinned = await atNow(ctx, tx);
    const now = pinned.now();
    const keys = await listWaiting(tx, portion);
    if (keys.length === 0) return 0;
    await changeSms(tx, pinned, {
      keys,
      change: ({ state, due_at }) => (state === "waiting" && due_at <= now ? { status: "queued", state: "due" } : null),
    });
    hint(tx, "sms");
    return keys.length;
  });
}
