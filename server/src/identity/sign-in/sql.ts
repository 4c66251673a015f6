import { sql, type Tx } from "#platform/sql.ts";

export async function deleteEnded(tx: Tx, limit: number): Promise<number> {
  const windows = await sql(tx)`
    delete from sign_in_windows where subject in (select subject from sign_in_windows where ends_at < app_now() limit ${limit})`;
  const values = await sql(tx)`
    delete from person_verifications where id in (select id from person_verifications where expires_at < app_now() limit ${limit})`;
  const sessions = await sql(tx)`
    delete from person_sessions where id in (select id from person_sessions where expires_at < app_now() limit ${limit})`;
  return windows.count + values.count + sessions.count;
}

/** Records a device of a person; `known` is how many they had before, `fresh` is true if this one wasn't among them. */
export async function insertDevice(tx: Tx, given: { person_id: string; device: string }): Promise<{ fresh: boolean; known: number }> {
  const { person_id, device } = given;
  const [row] = await sql(tx)<{ fresh: boolean; known: number }>`
    with before as (select count(*)::int as known, coalesce(bool_or(device = ${device}), false) as seen from person_devices
      where person_id = ${person_id}),
    noted as (
      insert into person_devices (person_id, device, first_seen_at, last_seen_at) values (${person_id}, ${device}, app_now(), app_now())
      on conflict (person_id, device) do update set last_seen_at = excluded.last_seen_at)
    select not seen as fresh, known from before`;
  return row as { fresh: boolean; known: number };
}
