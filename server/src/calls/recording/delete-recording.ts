import { auditIfPerson } from "#audit/index.ts";
import { beginPass, type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { RecordingRow } from "./shapes.ts";
import { deleteRecordingRow, listDueRecordings, updateDeleted } from "./sql.ts";

const portion = 100;

/** Deletes a recording and its bytes; what the store can't remove now is removed by the next sweep. Throws resource_missing. */
export async function deleteRecording(ctx: Ctx, tenant: Tenant, { call_id, id }: { call_id: string; id: string }): Promise<{ id: string }> {
  const row = await ctx.transact(async (tx) => {
    const deleted = await updateDeleted(tx, tenant, { call_id, id });
    if (deleted === null) throw platformErrors.resource_missing({ param: "id" });
    await auditIfPerson(tx, { ctx, tenant, action: "recording.deleted", object_type: "recording", object_id: id, detail: { call_id } });
    return deleted;
  });
  await remove(ctx, row).catch((err: unknown) =>
    ctx.log.warn({ err, recording: id }, "a deleted recording stays in the store until it is swept"),
  );
  return { id };
}

/** Removes the bytes of recordings that were deleted, that expired, or that a crash left incomplete. Returns how many. */
export async function sweepRecordings(ctx: Ctx): Promise<number> {
  const pass = beginPass(ctx, { task: "sweep_recordings", kind: "recording" });
  // Those that wait are listed too, and hide none of the others.
  const rows = await listDueRecordings(ctx.db, portion + pass.waiting.length);
  const removed = await pass.each(
    rows,
    ({ id }) => id,
    (row) => remove(ctx, row),
  );
  if (rows.length < portion) pass.end();
  return removed;
}

/** Bytes first: a record without bytes is harmless, but bytes without a record would remain indefinitely. */
async function remove(ctx: Ctx, row: RecordingRow): Promise<void> {
  await ctx.files.remove(row.storage_key);
  await deleteRecordingRow(ctx.db, row);
}
