import { atNow, type Ctx, hint, updatePlanning } from "#platform/index.ts";
import { changeEmails } from "./change-emails.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/**
 * Makes recipients due: scheduled messages and further attempts. Nothing waits past its expiry; messages that expired by then, or were
 * suppressed in the meantime, are ended when it's their turn. Returns how many messages.
 */
export async function releaseScheduled(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const pinned = await atNow(ctx, tx);
    const now = pinned.now();
    const keys = await listWaiting(tx, portion);
    if (keys.length === 0) return 0;
    await changeEmails(tx, pinned, {
      keys,
      change: ({ recipients }, changed) => {
        const due = recipients.filter((row) => row.state === "waiting" && row.due_at <= now);
        for (const row of due) changed(row, { status: row.status === "scheduled" ? "queued" : row.status, state: "due" });
        return due.length === 0 ? null : {};
      },
    });
    hint(tx, "emails");
    return keys.length;
  });
}
