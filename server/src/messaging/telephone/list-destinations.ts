import { findMerchant } from "#identity/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";

/** The countries that a project may reach in LIVE: its merchant's own. A leaked key must not reach what costs most. */
export async function listDestinations(ctx: Pick<Ctx, "db">, tenant: Tenant): Promise<ReadonlySet<string>> {
  const project = await findProject(ctx.db, tenant.project_id);
  const merchant = project === null ? null : await findMerchant(ctx.db, project.merchant_id);
  return new Set(merchant?.country == null ? [] : [merchant.country]);
}
