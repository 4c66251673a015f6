import type { Ctx, Tenant } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { findVerificationOfProject } from "./sql.ts";

/**
 * Throws merchant_not_verified if this tenant is LIVE and its merchant isn't verified. For callers without an API key, such as a buyer's
 * page.
 */
export async function requireVerified(ctx: Pick<Ctx, "db">, tenant: Tenant): Promise<void> {
  if (!tenant.livemode) return;
  if ((await findVerificationOfProject(ctx.db, tenant.project_id)) !== "verified") throw identityErrors.merchant_not_verified();
}
