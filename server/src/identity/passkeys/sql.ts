import { type ColumnsOf, columns, type Db, sql, type Tx } from "#platform/sql.ts";

export interface PasskeyRow {
  id: string;
  person_id: string;
  name: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  device_type: string;
  backed_up: boolean;
  last_used_at: Date | null;
  created_at: Date;
}

const passkeyColumns: ColumnsOf<PasskeyRow> = columns(
  "person_passkeys",
  `
  id, person_id, name, credential_id, public_key, counter, transports, device_type, backed_up, last_used_at, created_at`,
);

export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await sql(tx)`
    insert into person_passkeys (id, person_id, name, credential_id, public_key, counter, transports, device_type, backed_up, created_at)
    values (${row.id}, ${row.person_id}, ${row.name}, ${row.credential_id}, ${row.public_key}, ${row.counter}, ${row.transports}::text[],
      ${row.device_type}, ${row.backed_up}, ${row.created_at})`;
}

export async function listPasskeyRows(db: Db, personId: string): Promise<PasskeyRow[]> {
  return await sql(db)<PasskeyRow>`select ${passkeyColumns} from person_passkeys where person_id = ${personId} order by id desc`;
}

export async function lockPasskey(tx: Tx, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await sql(tx)<PasskeyRow>`select ${passkeyColumns} from person_passkeys where credential_id = ${credentialId} for update`;
  return row ?? null;
}

export async function updatePasskeyUsed(tx: Tx, id: string, given: { counter: number }): Promise<void> {
  await sql(tx)`update person_passkeys set counter = ${given.counter}, last_used_at = app_now() where id = ${id}`;
}

export async function deletePasskey(tx: Tx, personId: string, id: string): Promise<boolean> {
  const rows = await sql(tx)`delete from person_passkeys where person_id = ${personId} and id = ${id}`;
  return rows.count === 1;
}

/** A challenge is stored as a hash and consumed once. */
export async function insertChallenge(tx: Tx, row: { id: string; identifier: string; value: string; minutes: number }): Promise<void> {
  await sql(tx)`
    insert into person_verifications (id, identifier, value, expires_at, created_at, updated_at)
    values (${row.id}, ${row.identifier}, ${row.value}, app_now() + ${row.minutes} * interval '1 minute', app_now(), app_now())`;
}

export async function deleteChallenge(tx: Tx, given: { identifier: string; value: string }): Promise<boolean> {
  const rows = await sql(tx)`
    delete from person_verifications where identifier = ${given.identifier} and value = ${given.value} and expires_at > app_now()`;
  return rows.count > 0;
}
