import { listSuspendedProjects } from "#identity/index.ts";
import { type Ctx, sweepRows, updatePlanning } from "#platform/index.ts";
import type { EmailKey } from "../rows.sql.ts";
import { endExpired } from "./end-expired.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/**
 * Ends expired email that no worker would claim and so end: LIVE email while its merchant's sending is suspended, and recipients that were
 * set aside. Returns how many messages.
 */
export function expireUnclaimed(ctx: Ctx): Promise<number> {
  return sweepRows<EmailKey>(ctx, {
    task: "expire_unclaimed_emails",
    kind: "email",
    limit: portion,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return listOverdue(tx, await listSuspendedProjects(tx, null), wanted);
    },
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    async work(tx, keys) {
      await endExpired(tx, ctx, keys);
      return keys.length;
    },
  });
}
