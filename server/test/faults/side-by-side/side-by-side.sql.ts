import { type Db, sql } from "#platform/sql.ts";

/** Everything that these endpoints were ever owed. */
export async function listFanned(db: Db, endpoints: string[]): Promise<{ url: string; event_id: string; state: string }[]> {
  return sql(db)<{ url: string; event_id: string; state: string }>`
    -- all tenants: a test looks at all of its own
    select e.url, d.event_id, d.state from webhook_deliveries d
    join webhook_endpoints e on e.project_id = d.project_id and e.livemode = d.livemode and e.id = d.endpoint_id
    where e.id = any (${endpoints}::text[])`;
}

/** How many workers were found lost with jobs in progress. */
export async function countDeaths(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*) as count from worker_deaths`;
  return row?.count ?? 0;
}

/** Deliveries to these endpoints, and emails to addresses with these endings, that are due or in progress. */
export async function countInProgress(db: Db, { endpoints, mails }: { endpoints: string[]; mails: string }): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: a test looks at all of its own
    select (select count(*) from events where sequence is null)
      + (select count(*) from webhook_deliveries where endpoint_id = any (${endpoints}::text[])
        and (state = 'leased' or (state = 'due' and due_at <= app_now())))
      + (select count(*) from email_recipients where address like ${`%${mails}`}
        and (state = 'leased' or (state in ('waiting', 'due') and due_at <= app_now()))) as count`;
  return row?.count ?? 0;
}

/** Events of this name about orders, by order. */
export async function listEventCounts(db: Db, event: string): Promise<{ order_id: string; times: number }[]> {
  return sql(db)<{ order_id: string; times: number }>`
    -- all tenants: a test looks at all of its own
    select object_id as order_id, count(*) as times from events where event = ${event} group by object_id`;
}
