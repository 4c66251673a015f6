import { recordAudit } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { updateKeyRevoked } from "./sql.ts";

/** Revokes a key. Other processes may still accept it for the 10 seconds of their cache. */
export async function revokeApiKey(ctx: Ctx, tenant: Tenant, input: { id: string }): Promise<ApiKey> {
  const row = await ctx.transact(async (tx) => {
    const revoked = await updateKeyRevoked(tx, tenant, { id: input.id });
    if (revoked === null) throw platformErrors.resource_missing({ param: "id" });
    await recordAudit(tx, { ctx, tenant, action: "api_key.revoked", object_type: "api_key", object_id: input.id, detail: {} });
    return revoked;
  });
  return showApiKey(row, row.updated_at);
}
