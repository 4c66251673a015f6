import { type Ctx, hint, sweepDue } from "#platform/index.ts";
import type { SmsKey } from "../rows.sql.ts";
import { changeSms } from "./change-sms.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/** Makes messages due: scheduled ones, and further attempts. Returns how many. */
export function releaseScheduled(ctx: Ctx): Promise<number> {
  return sweepDue<SmsKey>(ctx, {
    task: "release_sms",
    kind: "sms",
    limit: portion,
    list: listWaiting,
    async change(tx, pinned, keys) {
      const now = pinned.now();
      await changeSms(tx, pinned, {
        keys,
        change: ({ state, due_at }) => (state === "waiting" && due_at <= now ? { status: "queued", state: "due" } : null),
      });
      hint(tx, "sms");
    },
  });
}
