import { recordAudit } from "#audit/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { platformErrors } from "#platform/index.ts";
import { findSuppression, type SuppressionName } from "./find-suppression.ts";
import { dropSuppression } from "./remove-suppression.ts";
import { deleteEnded, type SuppressionRow } from "./sql.ts";

/** Allows messages to an address again. Throws resource_missing. */
export async function deleteSuppression(ctx: Ctx, tenant: Tenant, named: SuppressionName): Promise<SuppressionRow> {
  return ctx.transact(async (tx) => {
    const row = await findSuppression({ ...ctx, db: tx }, tenant, named);
    if (!(await dropSuppression(tx, ctx, row))) throw platformErrors.resource_missing({ param: "id" });
    const detail = { channel: row.channel, reason: row.reason };
    await recordAudit(tx, { ctx, tenant, action: "suppression.deleted", object_type: "suppression", object_id: row.id, detail });
    return row;
  });
}

/** Deletes suppressions that expired more than a day ago; returns how many. */
export function deleteExpiredSuppressions(ctx: Ctx): Promise<number> {
  return ctx.transact((tx) => deleteEnded(tx, 1_000));
}
