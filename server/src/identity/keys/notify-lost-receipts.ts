import { type Ctx, notice } from "#platform/index.ts";
import { type LostKeyRow, listLostReceiptKeys, updateLostReceiptsNotified } from "./sql.ts";

/** LIVE keys that reported incoming transfers before that was a separate permission, and can't anymore. */
export function listKeysWithoutReceipts(ctx: Pick<Ctx, "db">): Promise<LostKeyRow[]> {
  return listLostReceiptKeys(ctx.db, { unnotified: false });
}

/** Notifies the owners of such keys once, with one email per project; returns how many projects were notified. */
export async function notifyLostReceipts(ctx: Ctx): Promise<number> {
  const byProject = Map.groupBy(await listLostReceiptKeys(ctx.db, { unnotified: true }), (key) => key.project_id);
  for (const [project_id, keys] of byProject) {
    await ctx.transact(async (tx) => {
      if (!(await updateLostReceiptsNotified(tx, { project_id, livemode: true }, { ids: keys.map((key) => key.id) }))) return;
      const names = keys.slice(0, 20).map((key) => `${key.name} (…${key.last4})`);
      await notice(tx, ctx, { kind: "keys_without_receipts", recipient: project_id, params: { project_id, keys: names } });
    });
    ctx.log.warn({ project_id, keys: keys.map((key) => key.id) }, "keys can no longer report incoming transfers: they need receipts:write");
  }
  return byProject.size;
}
