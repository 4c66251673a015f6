import type pg from "pg";
import type { Tenant } from "#platform/index.ts";

interface Counts {
  living: number;
  removed: number;
  receivers: number;
}

/** Registered endpoints, deleted ones, and receivers of callbacks, as scripts and a service with many customers leave them. */
export async function insertManyEndpoints(client: pg.Client, { project_id, livemode }: Tenant, counts: Counts): Promise<void> {
  const insert = (count: number, [prefix, kind, events, secret, removed]: [string, string, string, string, string]) =>
    client.query(
      `insert into webhook_endpoints (project_id, livemode, id, kind, url, events, secret, secret_last4, api_version, created_at, updated_at,
          removed_at)
        select $1, $2, 'we_${prefix}' || n, '${kind}', 'https://' || n || '.example', '${events}', ${secret}, '', '',
          (select app_now()), (select app_now()), ${removed} from generate_series(1, $3::int) n`,
      [project_id, livemode, count],
    );
  await insert(counts.living, ["living", "endpoint", "{*}", "''", "null"]);
  await insert(counts.removed, ["removed", "endpoint", "{*}", "''", "(select app_now())"]);
  await insert(counts.receivers, ["receiver", "callback", "{}", "null", "null"]);
  await client.query("vacuum analyze webhook_endpoints");
}

/** Numbered events of one tenant, evenly over the given number of days, the last of them now. */
export async function insertManyEvents(
  client: pg.Client,
  { project_id, livemode }: Tenant,
  { count, days }: { count: number; days: number },
): Promise<void> {
  await client.query(
    `insert into events (project_id, livemode, id, event, object_id, body, sequence, created_at)
      select $1, $2, 'evt_' || lpad(n::text, 8, '0'), 'order.paid', 'ord_' || n, convert_to(repeat('x', 500), 'UTF8'), n,
        (select app_now()) - ($3::int - n) * ($4::int * interval '1 day' / $3::int) from generate_series(1, $3::int) n`,
    [project_id, livemode, count, days],
  );
  await client.query("vacuum analyze events");
}
