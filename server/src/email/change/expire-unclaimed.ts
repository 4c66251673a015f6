import { listSuspendedProjects } from "#identity/index.ts";
import { type Ctx, updatePlanning } from "#platform/index.ts";
import { endExpired } from "./end-expired.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/**
 * Ends expired email that no worker would claim and so end: LIVE email while its merchant's sending is suspended, and recipients that were
 * set aside. Returns how many messages.
 */
export async function expireUnclaimed(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const keys = await listOverdue(tx, await listSuspendedProjects(tx, null), portion);
    await endExpired(tx, ctx, keys);
    return keys.length;
  });
}
