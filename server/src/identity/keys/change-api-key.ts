import { recordAudit, withPrevious } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant } from "#platform/index.ts";
import { checkGrantable, checkKeyInput, checkReceiptKey } from "./check-key-input.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { lockKey, updateKey } from "./sql.ts";

export interface KeyChange {
  id: string;
  if_version: number | null;
  /** The permissions of the person who changes it; null for the command line. */
  grantable: ReadonlySet<string> | null;
  name?: string;
  permissions?: string[];
  allowed_ips?: string[];
  expires_at?: Date | null;
  receiving_account?: string | null;
}

/** Changes a key's permissions, allowed addresses and expiry. A revoked or expired key can't be changed: create another. */
export async function changeApiKey(ctx: Ctx, tenant: Tenant, input: KeyChange): Promise<ApiKey> {
  checkKeyInput(input, { now: await findNow(ctx.db), grantable: input.grantable });
  const row = await ctx.transact(async (tx) => {
    const before = await lockKey(tx, tenant, input.id);
    const now = await findNow(tx);
    if (before === null) throw platformErrors.resource_missing({ param: "id" });
    if (input.if_version !== null && input.if_version !== before.version)
      throw platformErrors.version_conflict({ fields: { version: before.version } });
    if (showApiKey(before, now).status !== "active")
      throw platformErrors.parameter_conflict({ reason: "key_ended", message: "This key is no longer valid. Create a new one." });
    // Someone who can't create such a key can't extend one either.
    checkGrantable(before.permissions, input.grantable);
    const permissions = [...new Set(input.permissions ?? before.permissions)];
    const receiving_account = input.receiving_account === undefined ? before.receiving_account : input.receiving_account;
    checkReceiptKey({ permissions, receiving_account }, tenant.livemode);
    const changed = await updateKey(tx, tenant, {
      ...before,
      name: input.name ?? before.name,
      permissions,
      receiving_account,
      allowed_ips: input.allowed_ips ?? before.allowed_ips,
      expires_at: input.expires_at === undefined ? before.expires_at : input.expires_at,
      updated_at: now,
    });
    const { name, allowed_ips, expires_at } = changed;
    const detail = withPrevious({ name, permissions: changed.permissions, allowed_ips, expires_at, receiving_account }, { ...before });
    await recordAudit(tx, { ctx, tenant, action: "api_key.updated", object_type: "api_key", object_id: input.id, detail });
    return changed;
  });
  return showApiKey(row, row.updated_at);
}
