import { type Db, sql } from "#platform/sql.ts";

/** Signs a person in at many other places, all before now, and gives them passkeys. */
export async function insertManySignIns(
  db: Db,
  personId: string,
  { sessions, passkeys, now }: { sessions: number; passkeys: number; now: Date },
): Promise<void> {
  await sql(db)`
    insert into person_sessions (id, person_id, token, expires_at, confirmed_at, ip_address, user_agent, created_at, updated_at)
    select 'ses_0' || lpad(n::text, 25, '0'), ${personId}, ${personId} || n, ${now}::timestamptz + interval '1 day', at,
      '198.51.100.' || n % 256, 'curl/' || n, at, at
    from generate_series(1, ${sessions}::int) n, lateral (select ${now}::timestamptz - n * interval '1 hour' as at) made`;
  await sql(db)`
    insert into person_passkeys (id, person_id, name, credential_id, public_key, device_type, created_at)
    select 'psk_0' || lpad(n::text, 25, '0'), ${personId}, 'Key ' || n, ${personId} || n, '\\x00', 'multiDevice', ${now}
    from generate_series(1, ${passkeys}::int) n`;
}
