import { findException, type ShownException } from "#orders/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";

/** One exception with its order's reference. Throws resource_missing. */
export async function findExceptionOf(ctx: Ctx, tenant: Tenant, id: string): Promise<ShownException> {
  const found = await findException(ctx.db, tenant, id);
  if (found === null) throw platformErrors.resource_missing({ param: "id" });
  return found;
}
