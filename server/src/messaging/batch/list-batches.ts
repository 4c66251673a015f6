import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import type { FoundBatch } from "./find-batch.ts";
import { type BatchFilters, type BatchRow, findBatchRow, listBatchRows, listBatchStatuses } from "./sql.ts";

/**
 * A page of batches, newest first, with the states of their messages. Throws invalid_cursor for an id that isn't a batch of this tenant.
 */
export async function listBatches(
  ctx: Ctx,
  tenant: Tenant,
  query: PageQuery & { filters: BatchFilters },
): Promise<Page<Pick<FoundBatch, "batch" | "counts">>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listBatchRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findBatchRow(ctx.db, tenant, id),
  });
  const counts = new Map<string, Record<string, number>>(rows.map(({ id }) => [id, {}]));
  for (const { batch_id, status, messages } of await statusesOf(ctx, tenant, rows)) (counts.get(batch_id) ?? {})[status] = messages;
  return { rows: rows.map((batch) => ({ batch, counts: counts.get(batch.id) ?? {} })), ...page };
}

async function statusesOf(ctx: Ctx, tenant: Tenant, rows: readonly BatchRow[]) {
  const byChannel = Map.groupBy(rows, ({ channel }) => channel);
  const found = [...byChannel].map(([name, batches]) =>
    listBatchStatuses(ctx.db, tenant, { channel: ctx.channels.sendingNamed(name), ids: batches.map(({ id }) => id) }),
  );
  return (await Promise.all(found)).flat();
}
