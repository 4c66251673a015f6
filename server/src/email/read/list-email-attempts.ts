import { type Ctx, canonicalAddress, platformErrors, type Tenant } from "#platform/index.ts";
import { type AttemptRow, countEmail, listAttemptRows } from "./sql.ts";

/** Fifty recipients, each tried for two days. */
const maxAttempts = 10_000;

/**
 * All retained attempts of a message's copies, newest first; only those of `recipients` if given. Throws resource_missing for a message
 * that isn't this tenant's.
 */
export async function listEmailAttempts(ctx: Ctx, tenant: Tenant, query: { id: string; recipients?: string[] }): Promise<AttemptRow[]> {
  if ((await countEmail(ctx.db, tenant, query.id)) === 0) throw platformErrors.resource_missing({ param: "id" });
  const rows = await listAttemptRows(ctx.db, tenant, { id: query.id, limit: maxAttempts });
  if (query.recipients === undefined) return rows;
  const wanted = new Set(query.recipients.map(canonicalAddress));
  return rows.filter(({ recipient }) => wanted.has(canonicalAddress(recipient)));
}
