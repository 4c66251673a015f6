import type { Ctx, Tenant } from "#platform/index.ts";
import { showCredential } from "../rows/show-credential.ts";
import { updateRemoved } from "../rows/sql.ts";
import { emitAccountChange } from "./emit-account-change.ts";
import { type CredentialKey, findAdapter, holdCredential } from "./find-credential.ts";

/**
 * Removes an account: it takes no more payments and isn't shown any more. Its payments can still be queried and refunded, so its secrets
 * stay sealed here.
 */
export async function removeCredential(ctx: Ctx, tenant: Tenant, key: CredentialKey & { if_version: number | null }): Promise<void> {
  findAdapter(ctx, key.gateway);
  await ctx.transact(async (tx) => {
    const row = await holdCredential(tx, tenant, key);
    await updateRemoved(tx, tenant, { id: key.id, by: ctx.actor.id });
    await emitAccountChange(tx, ctx, {
      action: "gateway_credential.deleted",
      credential: showCredential(row),
      detail: { account: row.account },
    });
  });
}
