import type { Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import type { NewRecording, RecordingRow } from "./shapes.ts";

const recordingColumns: ColumnsOf<RecordingRow> = columns(
  "recordings",
  "project_id, livemode, id, call_id, source, channels, duration_ms, size_bytes, storage_key, state, due_at, created_at",
);

/** Inserts a recording whose bytes are being stored; a sweep removes it unless that ends in time. */
export async function insertRecording(db: Db, row: NewRecording, withinMs: number): Promise<void> {
  await sql(db)`
    insert into recordings (project_id, livemode, id, call_id, source, channels, duration_ms, size_bytes, storage_key,
      state, due_at, created_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.call_id}, ${row.source}, ${row.channels}, ${row.duration_ms},
      ${row.size_bytes}, ${row.storage_key}, 'storing', app_now() + ${withinMs} * interval '1 millisecond', app_now())`;
}

/** Marks a recording as stored. null if a sweep removed it first. */
export async function updateSaved(
  tx: Tx,
  { project_id, livemode, id }: Tenant & { id: string },
  retentionMs: number,
): Promise<RecordingRow | null> {
  const [row] = await sql(tx)<RecordingRow>`
    update recordings set state = 'kept', due_at = app_now() + ${retentionMs} * interval '1 millisecond'
    where project_id = ${project_id} and livemode = ${livemode} and id = ${id} and state = 'storing' returning ${recordingColumns}`;
  return row ?? null;
}

/** Recordings of a call that can be played, newest first. */
export async function listRecordingRows(
  db: Db,
  tenant: Tenant,
  { call_id, limit }: { call_id: string; limit: number },
): Promise<RecordingRow[]> {
  return sql(db)<RecordingRow>`
    select ${recordingColumns} from recordings
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and call_id = ${call_id} and state = 'kept'
      and due_at > app_now()
    order by id desc limit ${limit}`;
}

export async function findRecordingAnywhere(db: Db, id: string): Promise<RecordingRow | null> {
  const [row] = await sql(db)<RecordingRow>`
    -- all tenants: the signed address is the right to read, and it names no project
    select ${recordingColumns} from recordings where id = ${id} and state = 'kept' and due_at > app_now()`;
  return row ?? null;
}

/** Makes a recording unplayable from now on. null if there isn't one. */
export async function updateDeleted(
  tx: Tx,
  tenant: Tenant,
  { call_id, id }: { call_id: string; id: string },
): Promise<RecordingRow | null> {
  const [row] = await sql(tx)<RecordingRow>`
    update recordings set state = 'deleted', due_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and call_id = ${call_id} and id = ${id} and state = 'kept'
      and due_at > app_now()
    returning ${recordingColumns}`;
  return row ?? null;
}

/** Recordings whose bytes are due for removal. */
export async function listDueRecordings(db: Db, limit: number): Promise<RecordingRow[]> {
  return sql(db)<RecordingRow>`
    -- all tenants: what was kept long enough goes everywhere alike
    select ${recordingColumns} from recordings where due_at <= app_now() order by due_at limit ${limit}`;
}

export async function deleteRecordingRow(db: Db, { project_id, livemode, id }: Tenant & { id: string }): Promise<void> {
  await sql(db)`delete from recordings where project_id = ${project_id} and livemode = ${livemode} and id = ${id} and due_at <= app_now()`;
}
