import { type Db, sql } from "#platform/sql.ts";

/** Jobs of each kind that some process has taken, with everything in their lease columns. */
export interface Held {
  deliveries: number;
  recipients: number;
  notices: number;
}

export async function countHeld(db: Db): Promise<Held> {
  const [row] = await sql(db)<Held>`
    select
      (select count(*)::int from webhook_deliveries where state = 'leased' or lease is not null or lease_until is not null) as deliveries,
      (select count(*)::int from email_recipients where state = 'leased' or lease is not null or lease_until is not null) as recipients,
      (select count(*)::int from notices where state = 'leased' or lease_until is not null) as notices`;
  return row as Held;
}

/** Jobs that any process may take. */
export async function countFree(db: Db): Promise<Omit<Held, "notices">> {
  const [row] = await sql(db)<Omit<Held, "notices">>`
    select (select count(*)::int from webhook_deliveries where state = 'due') as deliveries,
      (select count(*)::int from email_recipients where state = 'due') as recipients`;
  return row as Omit<Held, "notices">;
}
