import { type Db, sql, type Tx } from "#platform/sql.ts";

export interface Window {
  used: number;
  ends_at: Date;
}

/** Counts one attempt of a subject; a window that ended begins anew. */
export async function insertAttempt(tx: Tx, given: { subject: string; now: Date; ends_at: Date; limit: number }): Promise<Window> {
  const [row] = await sql(tx)<Window>`
    insert into sign_in_windows as w (subject, used, ends_at) values (${given.subject}, 1, ${given.ends_at})
    on conflict (subject) do update set
      used = case when w.ends_at <= ${given.now} then 1 else least(w.used + 1, ${given.limit + 1}) end,
      ends_at = case when w.ends_at <= ${given.now} then excluded.ends_at else w.ends_at end
    returning used, ends_at`;
  return row as Window;
}

export async function deleteEnded(tx: Tx, now: Date, limit: number): Promise<number> {
  const windows = await sql(tx)`delete from sign_in_windows where subject in (select subject from sign_in_windows where ends_at < ${now} limit ${limit})`;
  const values = await sql(tx)`delete from person_verifications where id in (select id from person_verifications where expires_at < ${now} limit ${limit})`;
  const sessions = await sql(tx)`delete from person_sessions where id in (select id from person_sessions where expires_at < ${now} limit ${limit})`;
  return windows.count + values.count + sessions.count;
}

/** Ends what was handed out to a person under their old password: links to set a new one, open second steps, trusted browsers. */
export async function deleteHandedOut(tx: Tx, personId: string): Promise<void> {
  await sql(tx)`delete from person_verifications where value = ${personId}`;
}

export async function findPassword(db: Db, personId: string): Promise<string | null> {
  const [row] = await sql(db)<{ password: string | null }>`
    select password from person_credentials where person_id = ${personId} and provider_id = 'credential'`;
  return row?.password ?? null;
}

export async function insertPassword(tx: Tx, row: { id: string; person_id: string; password: string; now: Date }): Promise<void> {
  await sql(tx)`
    insert into person_credentials (id, person_id, provider_id, account_id, password, created_at, updated_at)
    values (${row.id}, ${row.person_id}, 'credential', ${row.person_id}, ${row.password}, ${row.now}, ${row.now})`;
}

export async function updatePassword(tx: Tx, row: { person_id: string; password: string; now: Date }): Promise<void> {
  await sql(tx)`
    update person_credentials set password = ${row.password}, updated_at = ${row.now} where person_id = ${row.person_id} and provider_id = 'credential'`;
}

/** Notes a device of a person; `known` is how many they had before, `fresh` whether this one was not among them. */
export async function insertDevice(tx: Tx, given: { person_id: string; device: string; now: Date }): Promise<{ fresh: boolean; known: number }> {
  const { person_id, device, now } = given;
  const [row] = await sql(tx)<{ fresh: boolean; known: number }>`
    with before as (select count(*)::int as known, coalesce(bool_or(device = ${device}), false) as seen from person_devices where person_id = ${person_id}),
    noted as (
      insert into person_devices (person_id, device, first_seen_at, last_seen_at) values (${person_id}, ${device}, ${now}, ${now})
      on conflict (person_id, device) do update set last_seen_at = excluded.last_seen_at)
    select not seen as fresh, known from before`;
  return row as { fresh: boolean; known: number };
}
