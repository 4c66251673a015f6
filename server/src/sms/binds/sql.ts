import { type Db, sql } from "#platform/sql.ts";

interface Held {
  name: string;
  lease: string;
  durationMs: number;
}

/** Takes a free bind; returns true if it did. One that is held for longer than a lease lasts was taken while the clock was ahead. */
export async function insertBindLease(db: Db, { name, lease, durationMs }: Held): Promise<boolean> {
  const { count } = await sql(db)`
    insert into sms_binds as b (name, lease, held_until) values (${name}, ${lease}, app_now() + ${durationMs} * interval '1 millisecond')
    on conflict (name) do update set lease = excluded.lease, held_until = excluded.held_until
      where b.held_until <= app_now() or b.held_until > excluded.held_until + interval '1 minute'`;
  return count === 1;
}

/** Extends the lease; false if another process has it, or it was released. */
export async function updateBindLease(db: Db, { name, lease, durationMs }: Held): Promise<boolean> {
  const { count } = await sql(db)`
    update sms_binds set held_until = app_now() + ${durationMs} * interval '1 millisecond'
    where name = ${name} and lease = ${lease} and held_until > app_now()`;
  return count === 1;
}

export async function deleteBindLease(db: Db, { name, lease }: Pick<Held, "name" | "lease">): Promise<void> {
  await sql(db)`delete from sms_binds where name = ${name} and lease = ${lease}`;
}
