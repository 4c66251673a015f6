import { listSuspendedProjects } from "#identity/index.ts";
import { type Ctx, updatePlanning } from "#platform/index.ts";
import { endExpired } from "./end-expired.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/**
 * Ends mail whose time is up and which nobody claims, which would end it else: LIVE mail while its merchant's sending is suspended, and what is set aside.
 * Answers how many messages.
 */
export async function expireUnclaimed(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const keys = await listOverdue(tx, await listSuspendedProjects(tx, null), portion);
    await endExpired(tx, ctx, keys);
    return keys.length;
  });
}
