import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Old messages: delivered long ago, or waiting to be sent. */
export async function insertManyEmails(
  db: Db,
  tenant: Tenant,
  given: { from: number; to: number; due: boolean; now: Date; body: string },
): Promise<void> {
  const status = given.due ? "queued" : "delivered";
  await sql(db)`
    with numbers as (select n, lpad(n::text, 26, '0') as tail from generate_series(${given.from}::int, ${given.to}::int) n),
    made as (
      insert into emails (project_id, livemode, id, status, sequence, last_event, from_address, from_text, addressees, subject, category,
        message_id, size_bytes, recipients, expires_at, created_at, updated_at)
      select ${tenant.project_id}, ${tenant.livemode}, 'em_' || tail, ${status}, 2, ${status}, 'orders@tillpost.example',
        'Corner Books <orders@tillpost.example>', jsonb_build_object('to', 'reader-' || n || '@shop' || n % 500 || '.lovelace.dev'),
        'Your order ' || n, 'transactional', '<em_' || tail || '@tillpost.example>', ${given.body.length}::int, 1,
        ${given.now}::timestamptz + interval '2 days', ${given.now}::timestamptz, ${given.now}::timestamptz
      from numbers),
    bodies as (
      insert into email_bodies (project_id, livemode, email_id, body, created_at)
      select ${tenant.project_id}, ${tenant.livemode}, 'em_' || tail, ${given.body}, ${given.now}::timestamptz from numbers
        where ${given.due})
    insert into email_recipients (project_id, livemode, email_id, position, id, type, address, domain, status, state, due_at, expires_at,
      created_at, updated_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'em_' || tail, 0, 'dlv_' || ${tenant.livemode} || tail, 'to',
      'reader-' || n || '@shop' || n % 500 || '.lovelace.dev', 'shop' || n % 500 || '.lovelace.dev', ${status},
      ${given.due ? "due" : "done"}, ${given.now}::timestamptz, ${given.now}::timestamptz + interval '2 days', ${given.now}::timestamptz,
      ${given.now}::timestamptz
    from numbers`;
  // Old rows have been vacuumed: that work of the database must not affect what is measured next.
  await sql(db)`vacuum (analyze) emails, email_bodies, email_recipients`;
}

export async function listEmailSample(db: Db, tenant: Tenant, limit: number): Promise<{ id: string }[]> {
  return sql(db)<{ id: string }>`
    select id from emails where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by md5(id) limit ${limit}`;
}

export async function countDue(db: Db): Promise<number> {
  const [row] = await sql(db)<{ due: number }>`
    -- all tenants: the bench looks at its own database
    select count(*)::int as due from email_recipients where state <> 'done'`;
  return row?.due ?? 0;
}

/** Removes messages that a bench left unsent. */
export async function deleteDue(db: Db): Promise<void> {
  await sql(db)`
    -- all tenants: the bench empties its own database
    update email_recipients set state = 'done', lease = null, lease_until = null where state <> 'done'`;
}
