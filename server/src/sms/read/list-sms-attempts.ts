import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findSmsRow } from "../rows.sql.ts";
import { listAttemptRows, type SmsAttemptRow } from "./sql.ts";

const maxAttempts = 1_000;

/** All retained attempts of a message, newest first. Throws resource_missing. */
export async function listSmsAttempts(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<SmsAttemptRow[]> {
  if ((await findSmsRow(ctx.db, tenant, id)) === null) throw platformErrors.resource_missing({ param: "id" });
  return listAttemptRows(ctx.db, tenant, { id, limit: maxAttempts });
}
