import { type Db, sql } from "./sql.ts";

export async function takeLease(db: Db, name: string, given: { token: string; now: Date; endsAt: Date }): Promise<boolean> {
  const rows = await sql(db)`
    insert into leases (name, token, ends_at) values (${name}, ${given.token}, ${given.endsAt})
    on conflict (name) do update set token = excluded.token, ends_at = excluded.ends_at where leases.ends_at <= ${given.now}`;
  return rows.count === 1;
}

export async function deleteLease(db: Db, name: string, token: string): Promise<void> {
  await sql(db)`delete from leases where name = ${name} and token = ${token}`;
}
