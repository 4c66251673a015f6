import type { Ctx } from "#platform/index.ts";
import { updatePlanning } from "../sending/claim.sql.ts";
import { timedOut } from "../sending/judge-outcome.ts";
import { changeEmails, type Extra } from "./change-emails.ts";
import { listExpiring } from "./sql.ts";

const portion = 500;

/** Ends what could not be delivered before its time was up; answers how many messages. */
export async function expireEmails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = ctx.now();
    const keys = await listExpiring(tx, now, portion);
    await changeEmails(tx, ctx, {
      keys,
      change: ({ recipients }, changed) => {
        const over = recipients.filter((row) => (row.state === "waiting" || row.state === "due") && row.expires_at <= now);
        let extra: Extra = {};
        for (const row of over) {
          const judged = timedOut(row);
          extra = judged.extra;
          changed(row, judged.to);
        }
        return over.length === 0 ? null : extra;
      },
    });
    return keys.length;
  });
}
