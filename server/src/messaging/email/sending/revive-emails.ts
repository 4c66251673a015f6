import type { Ctx } from "#platform/index.ts";
import { changeEmails } from "../change/change-emails.ts";
import { type AttemptEnding, listLapsed, updateAttempts, updatePlanning } from "./claim.sql.ts";

const portion = 500;

/** Recipients whose worker is gone are due again, with the lost attempt on record; answers how many messages had some. */
export async function reviveEmails(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = ctx.now();
    const lost: AttemptEnding[] = [];
    const keys = await listLapsed(tx, now, portion);
    await changeEmails(tx, ctx, {
      keys,
      change: ({ recipients }, changed) => {
        const lapsed = recipients.filter((row) => row.state === "leased" && row.lease_until != null && row.lease_until < now);
        for (const row of lapsed) {
          const { project_id, livemode, email_id, id: recipient_id, attempts: attempt } = row;
          const unknown = { provider: null, remote: null, smtp_code: null, enhanced_code: null, diagnostic: null };
          lost.push({ project_id, livemode, email_id, recipient_id, attempt, result: "worker_lost", ...unknown });
          changed(row, { state: "due", due_at: now });
        }
        return lapsed.length === 0 ? null : {};
      },
    });
    await updateAttempts(tx, lost, now);
    return keys.length;
  });
}
