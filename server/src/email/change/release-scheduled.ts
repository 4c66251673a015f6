import { type Ctx, hint, sweepDue } from "#platform/index.ts";
import type { EmailKey } from "../rows.sql.ts";
import { changeEmails } from "./change-emails.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/**
 * Makes recipients due: scheduled messages and further attempts. Nothing waits past its expiry; messages that expired by then, or were
 * suppressed in the meantime, are ended when it's their turn. Returns how many messages.
 */
export function releaseScheduled(ctx: Ctx): Promise<number> {
  return sweepDue<EmailKey>(ctx, {
    task: "release_emails",
    kind: "email",
    limit: portion,
    list: listWaiting,
    async change(tx, pinned, keys) {
      const now = pinned.now();
      await changeEmails(tx, pinned, {
        keys,
        change: ({ recipients }, changed) => {
          const due = recipients.filter((row) => row.state === "waiting" && row.due_at <= now);
          for (const row of due) changed(row, { status: row.status === "scheduled" ? "queued" : row.status, state: "due" });
          return due.length === 0 ? null : {};
        },
      });
      hint(tx, "emails");
    },
  });
}
