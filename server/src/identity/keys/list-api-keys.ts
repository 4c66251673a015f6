import { type Ctx, findNow, type Tenant } from "#platform/index.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { listKeys } from "./sql.ts";

/** All keys of a project and environment, including revoked ones, newest first. */
export async function listApiKeys(ctx: Ctx, tenant: Tenant): Promise<ApiKey[]> {
  const [rows, now] = await Promise.all([listKeys(ctx.db, tenant), findNow(ctx.db)]);
  return rows.map((row) => showApiKey(row, now));
}
