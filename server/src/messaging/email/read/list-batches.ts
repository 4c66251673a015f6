import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { FoundBatch } from "./find-batch.ts";
import { type BatchFilters, type Cursor, findBatchRow, listBatchRows, listBatchStatuses } from "./sql.ts";

/** A page of batches, newest first, with the states of their messages. Throws invalid_cursor for an id that is no batch of this tenant. */
export async function listBatches(
  ctx: Ctx,
  tenant: Tenant,
  query: Cursor & { filters: BatchFilters },
): Promise<{ rows: Pick<FoundBatch, "batch" | "counts">[]; has_more: boolean }> {
  const cursor = query.starting_after ?? query.ending_before;
  if (cursor !== undefined && (await findBatchRow(ctx.db, tenant, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  }
  const rows = await listBatchRows(ctx.db, tenant, query);
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  const ids = page.map(({ id }) => id);
  const counts = new Map<string, Record<string, number>>(ids.map((id) => [id, {}]));
  for (const { batch_id, status, messages } of await listBatchStatuses(ctx.db, tenant, ids)) (counts.get(batch_id) ?? {})[status] = messages;
  return { rows: page.map((batch) => ({ batch, counts: counts.get(batch.id) ?? {} })), has_more: rows.length > query.limit };
}
