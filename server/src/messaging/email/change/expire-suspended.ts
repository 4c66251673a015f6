import { listSuspendedProjects } from "#identity/index.ts";
import type { Ctx } from "#platform/index.ts";
import { endExpired } from "./end-expired.ts";
import { listOverdue } from "./sql.ts";

const portion = 500;

/** Ends LIVE mail whose time is up while its merchant's sending is suspended: nobody claims it, which would end it else. Answers how many messages. */
export async function expireSuspended(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    const projects = await listSuspendedProjects(tx, null);
    if (projects.length === 0) return 0;
    const keys = await listOverdue(tx, projects, portion);
    await endExpired(tx, ctx, keys);
    return keys.length;
  });
}
