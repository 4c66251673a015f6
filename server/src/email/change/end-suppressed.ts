import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { changeEmails } from "./change-emails.ts";

interface Barred extends Tenant {
  email_id: string;
  position: number;
}

/** Ends recipients that were suppressed after their message was accepted, before the next attempt. */
export async function endSuppressed(tx: Tx, ctx: Ctx, barred: Barred[]): Promise<void> {
  const nameOf = ({ project_id, livemode, email_id, position }: Barred) => `${project_id} ${livemode} ${email_id} ${position}`;
  const names = new Set(barred.map(nameOf));
  const keys = new Map(
    barred.map(({ project_id, livemode, email_id }) => [`${project_id} ${livemode} ${email_id}`, { project_id, livemode, id: email_id }]),
  );
  await changeEmails(tx, ctx, {
    keys: [...keys.values()],
    change: ({ recipients }, changed) => {
      const over = recipients.filter((row) => row.state === "due" && names.has(nameOf(row)));
      for (const row of over) changed(row, { status: "suppressed", state: "done" });
      return over.length === 0 ? null : { with: { recipient: over.at(-1) } };
    },
  });
}
