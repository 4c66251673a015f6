import { beginPass, type Ctx, notice } from "#platform/index.ts";
import { type LostKeyRow, listLostReceiptKeys, updateLostReceiptsNotified } from "./sql.ts";

/** LIVE keys that reported incoming transfers before that was a separate permission, and can't anymore. */
export function listKeysWithoutReceipts(ctx: Pick<Ctx, "db">): Promise<LostKeyRow[]> {
  return listLostReceiptKeys(ctx.db, { unnotified: false });
}

/** Notifies the owners of such keys once, with one email per project; returns how many projects were notified. */
export async function notifyLostReceipts(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "tell_lost_receipts", kind: "project" });
  const byProject = Map.groupBy(await listLostReceiptKeys(ctx.db, { unnotified: true }), (key) => key.project_id);
  const done = await pass.each(
    [...byProject],
    ([project_id]) => project_id,
    ([project_id, keys]) => notifyProject(ctx, project_id, keys),
  );
  pass.end();
  return done;
}

async function notifyProject(ctx: Ctx, project_id: string, keys: readonly LostKeyRow[]): Promise<void> {
  await ctx.transact(async (tx) => {
    if (!(await updateLostReceiptsNotified(tx, { project_id, livemode: true }, { ids: keys.map((key) => key.id) }))) return;
    const names = keys.slice(0, 20).map((key) => `${key.name} (…${key.last4})`);
    await notice(tx, ctx, { kind: "keys_without_receipts", recipient: project_id, params: { project_id, keys: names } });
  });
  ctx.log.warn({ project_id, keys: keys.map((key) => key.id) }, "keys can no longer report incoming transfers: they need receipts:write");
}
