import { isCancelable } from "#messaging/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { emailChannel } from "../channel/email-channel.ts";
import type { EmailKey } from "../rows.sql.ts";
import { changeEmails } from "./change-emails.ts";

/** Cancels those of some messages that aren't being sent; the others don't change. */
export async function withdrawEmails(tx: Tx, pinned: Ctx, keys: readonly EmailKey[]): Promise<void> {
  await changeEmails(tx, pinned, {
    keys: [...keys],
    change({ email, recipients }, changed) {
      if (!isCancelable(emailChannel, email.status) || recipients.some((row) => row.status === "sending")) return null;
      for (const row of recipients) if (row.state !== "done") changed(row, { status: "canceled", state: "done" });
      return {};
    },
  });
}
