import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { type BatchRow, findBatchRow, listStatuses } from "./sql.ts";

export interface FoundBatch {
  batch: BatchRow;
  /** Its messages with their positions in the request and their current states. */
  data: { index: number; id: string; status: string }[];
  /** How many of its messages have each state; absent states have none. */
  counts: Record<string, number>;
}

/** A batch with the state of its messages. Throws resource_missing. */
export async function findBatch(ctx: Ctx, tenant: Tenant, id: string): Promise<FoundBatch> {
  const batch = await findBatchRow(ctx.db, tenant, id);
  if (batch === null) throw platformErrors.resource_missing({ param: "id" });
  const rows = await listStatuses(ctx.db, tenant, { channel: ctx.channels.sendingNamed(batch.channel), id });
  const statusOf = new Map(rows.map((row) => [row.id, row.status]));
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return { batch, data: batch.items.map((item) => ({ ...item, status: statusOf.get(item.id) ?? "" })), counts };
}
