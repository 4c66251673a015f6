import { atNow, type Ctx, hint, sweepRows, updatePlanning } from "#platform/index.ts";
import type { SmsKey } from "../rows.sql.ts";
import { changeSms } from "./change-sms.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/** Makes messages due: scheduled ones, and further attempts. Returns how many. */
export function releaseScheduled(ctx: Ctx): Promise<number> {
  return sweepRows<SmsKey>(ctx, {
    task: "release_sms",
    kind: "sms",
    limit: portion,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return listWaiting(tx, wanted);
    },
    nameOf: ({ id }) => id,
    async work(tx, keys) {
      const pinned = await atNow(ctx, tx);
      const now = pinned.now();
      await changeSms(tx, pinned, {
        keys,
        change: ({ state, due_at }) => (state === "waiting" && due_at <= now ? { status: "queued", state: "due" } : null),
      });
      hint(tx, "sms");
      return keys.length;
    },
  });
}
