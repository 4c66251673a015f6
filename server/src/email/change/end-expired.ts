import { type Ctx, findNow, type Tx } from "#platform/index.ts";
import type { EmailKey } from "../rows.sql.ts";
import { changeEmails, type Extra } from "./change-emails.ts";
import { timedOut } from "./end-recipient.ts";

/** Ends messages that expired while they waited for a worker or an operator. */
export async function endExpired(tx: Tx, ctx: Ctx, keys: EmailKey[]): Promise<void> {
  const now = await findNow(tx);
  await changeEmails(tx, ctx, {
    keys,
    change: ({ recipients }, changed) => {
      const over = recipients.filter((row) => (row.state === "due" || row.state === "set_aside") && row.expires_at <= now);
      let extra: Extra = {};
      for (const row of over) {
        const ending = timedOut(row);
        extra = ending.extra;
        changed(row, ending.to);
      }
      return over.length === 0 ? null : extra;
    },
  });
}
