import { type Db, sql, type Tx } from "#platform/sql.ts";

export async function findPassword(db: Db, personId: string): Promise<string | null> {
  const [row] = await sql(db)<{ password: string | null }>`
    select password from person_credentials where person_id = ${personId} and provider_id = 'credential'`;
  return row?.password ?? null;
}

export async function insertPassword(tx: Tx, row: { id: string; person_id: string; password: string }): Promise<void> {
  await sql(tx)`
    insert into person_credentials (id, person_id, provider_id, account_id, password, created_at, updated_at)
    values (${row.id}, ${row.person_id}, 'credential', ${row.person_id}, ${row.password}, app_now(), app_now())`;
}

export async function updatePassword(tx: Tx, row: { person_id: string; password: string }): Promise<void> {
  await sql(tx)`
    update person_credentials set password = ${row.password}, updated_at = app_now()
    where person_id = ${row.person_id} and provider_id = 'credential'`;
}
