import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { hint } from "#platform/index.ts";
import { findSuppressed } from "../../suppression/find-suppressed.ts";
import { type EmailKey, listRecipientsOf } from "../rows.sql.ts";
import { updatePlanning } from "../sending/claim.sql.ts";
import { changeEmails } from "./change-emails.ts";
import { listWaiting } from "./sql.ts";

const portion = 500;

/**
 * Makes recipients due whose time has come: scheduled messages and further attempts. Who was suppressed meanwhile is left out. Nothing waits for longer than
 * until it expires, so what expires is ended when its turn comes. Answers how many messages.
 */
export async function releaseScheduled(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = ctx.now();
    const keys = await listWaiting(tx, now, portion);
    if (keys.length === 0) return 0;
    const suppressed = await listSuppressedOf(tx, ctx, keys);
    await changeEmails(tx, ctx, {
      keys,
      change: ({ recipients }, changed) => {
        const due = recipients.filter((row) => row.state === "waiting" && row.due_at <= now);
        for (const row of due) {
          const isFirst = row.status === "scheduled";
          if (isFirst && suppressed.has(`${row.project_id} ${row.livemode} ${row.address}`)) changed(row, { status: "suppressed", state: "done" });
          else changed(row, { status: isFirst ? "queued" : row.status, state: "due" });
        }
        return due.length === 0 ? null : {};
      },
    });
    hint(tx, "emails");
    return keys.length;
  });
}

async function listSuppressedOf(tx: Tx, ctx: Ctx, keys: EmailKey[]): Promise<Set<string>> {
  const scheduled = (await listRecipientsOf(tx, keys)).filter((row) => row.status === "scheduled");
  const groups = Map.groupBy(scheduled, (row) => `${row.project_id} ${row.livemode}`);
  const found = new Set<string>();
  for (const [name, rows] of groups) {
    const { project_id, livemode } = rows[0] as Tenant;
    const map = await findSuppressed(tx, { project_id, livemode }, { channel: "email", addresses: rows.map((row) => row.address), now: ctx.now() });
    for (const address of map.keys()) found.add(`${name} ${address}`);
  }
  return found;
}
