import { type Ctx, sweepDue } from "#platform/index.ts";
import { errorOf } from "../error-words.ts";
import type { SmsKey } from "../rows.sql.ts";
import { changeSms } from "./change-sms.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/** Ends messages whose validity ended before a carrier accepted them, whatever they waited for. Returns how many. */
export function expireSms(ctx: Ctx): Promise<number> {
  return sweepDue<SmsKey>(ctx, {
    task: "expire_sms",
    kind: "sms",
    limit: portion,
    list: listOverdue,
    async change(tx, pinned, keys) {
      const now = pinned.now();
      await changeSms(tx, pinned, {
        keys,
        change: ({ state, expires_at, error }) =>
          (state === "due" || state === "set_aside") && expires_at <= now
            ? { status: "failed", state: "done", error: errorOf("expired", { provider_code: error?.provider_code ?? null }) }
            : null,
      });
    },
  });
}
