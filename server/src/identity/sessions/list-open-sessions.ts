import type { Ctx } from "#platform/index.ts";
import { listSessions, type OpenSession } from "../people/sql.ts";

/** Where a person is signed in, newest first. */
export function listOpenSessions(ctx: Pick<Ctx, "db" | "now">, personId: string): Promise<OpenSession[]> {
  return listSessions(ctx.db, personId);
}
