import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant } from "#platform/index.ts";
import { checkGrantable } from "./check-key-input.ts";
import { requireRoom } from "./create-api-key.ts";
import { hashKeyText, makeKeyText } from "./key-text.ts";
import { type ApiKey, showApiKey } from "./show-api-key.ts";
import { insertApiKey, lockKey, updateKey } from "./sql.ts";

export interface Rotation {
  id: string;
  /** How long the old key still works; if absent, it ends right away. */
  expire_old_in_seconds?: number;
  grantable: ReadonlySet<string> | null;
}

/** Replaces a key with a new one with the same permissions, which is returned; `secret` is null in a replayed response. */
export async function rotateApiKey(ctx: Ctx, tenant: Tenant, input: Rotation): Promise<ApiKey & { secret: string | null }> {
  const secret = makeKeyText(tenant.livemode);
  const row = await ctx.transact(async (tx) => {
    const old = await lockKey(tx, tenant, input.id);
    const now = await findNow(tx);
    if (old === null) throw platformErrors.resource_missing({ param: "id" });
    if (showApiKey(old, now).status !== "active" || old.revoked_at !== null) {
      throw platformErrors.parameter_conflict({
        reason: "key_ended",
        message: "This key is no longer valid, or is already being replaced.",
      });
    }
    checkGrantable(old.permissions, input.grantable);
    const overlapSeconds = input.expire_old_in_seconds ?? 0;
    if (overlapSeconds > 0) await requireRoom(tx, tenant, { replaces: true });
    const { name, permissions, allowed_ips, expires_at, receiving_account } = old;
    const successor = await insertApiKey(
      tx,
      {
        ...tenant,
        ...{ name, permissions, allowed_ips, expires_at, receiving_account },
        id: ctx.id("key"),
        prefix: secret.slice(0, 9),
        last4: secret.slice(-4),
        rotated_from: old.id,
        created_by: ctx.actor.id,
        created_at: now,
      },
      hashKeyText(secret),
    );
    const revokedAt = new Date(now.getTime() + overlapSeconds * 1000);
    await updateKey(tx, tenant, { ...old, revoked_at: revokedAt, updated_at: now });
    const detail = { rotated_from: old.id, old_ends_at: revokedAt };
    await recordAudit(tx, { ctx, tenant, action: "api_key.rotated", object_type: "api_key", object_id: successor.id, detail });
    return successor;
  });
  return { ...showApiKey(row, row.created_at), secret: ctx.claim?.replayed === true ? null : secret };
}
