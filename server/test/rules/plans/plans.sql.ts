import { readFileSync } from "node:fs";
import pg from "pg";
import type { Tenant } from "#platform/index.ts";
import { type Tx, wrapSql } from "#platform/sql.ts";

const migration = readFileSync(new URL("../../../migrations/0071_app_now.sql", import.meta.url), "utf8");

/** What one statement cost, as PostgreSQL planned it. */
export interface Plan {
  /** The complete output of `explain`. */
  text: string;
  indexes: string[];
  /** Pages touched. */
  blocks: number;
  /** Rows returned. */
  rows: number;
  ms: number;
}

interface PlanNode {
  "Actual Rows": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
}

/** Gives a test's database the clock of production instead of one that a test can move. */
export async function useProductionClock(client: pg.Client): Promise<void> {
  await client.query(migration.replace("create function", "create or replace function"));
}

/** Runs `work` on a separate connection. */
export async function onClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Explains and executes what `run` sends, in a transaction that is rolled back; replaces `app_now()` with another clock if one is given.
 */
export async function plansOf(client: pg.Client, run: (tx: Tx) => Promise<unknown>, clock = "app_now()"): Promise<Plan[]> {
  const plans: Plan[] = [];
  const tx = wrapSql<Tx>({
    async send({ text, values }) {
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text.replaceAll("app_now()", clock)}`, values);
      const [
        {
          "QUERY PLAN": [explained],
        },
      ] = rows as [{ "QUERY PLAN": [{ Plan: PlanNode; "Execution Time": number }] }];
      const whole = JSON.stringify(explained);
      const indexes = [...whole.matchAll(/"Index Name":"(\w+)"/g)].map(([, name = ""]) => name);
      const { "Actual Rows": answered, "Shared Hit Blocks": hit, "Shared Read Blocks": read } = explained.Plan;
      plans.push({ text: whole, indexes, blocks: hit + read, rows: answered, ms: explained["Execution Time"] });
      return Object.assign([], { count: 0 });
    },
  });
  await client.query("begin");
  try {
    await run(tx);
  } finally {
    await client.query("rollback");
  }
  return plans;
}

/** Read once for a statement, and not for each of its rows. */
const nowOnce = "(select app_now())";

/** Rows of every queue: most of them not due for hours, some leased, a few due. */
export async function insertQueues(client: pg.Client, tenant: Tenant, rows: number): Promise<void> {
  const { project_id, livemode } = tenant;
  // The rows that these would belong to aren't checked.
  await client.query("set session_replication_role = replica");
  const state = `case when n % 997 = 1 then 'leased' else 'due' end, case when n % 997 = 1 then 'lse_' || n end, case when n % 997 = 1 then ${nowOnce} + interval '10 minutes' end`;
  const due = `case when n % 1000 = 7 then ${nowOnce} - interval '1 second' else ${nowOnce} + interval '2 hours' end`;
  await client.query(
    `insert into webhook_endpoints (project_id, livemode, id, url, events, secret, secret_last4, api_version, created_at, updated_at)
      select $1, $2, 'we_' || n, 'https://example.com/' || n, '{*}', '', '', '', ${nowOnce}, ${nowOnce} from generate_series(0, 19) n`,
    [project_id, livemode],
  );
  await client.query(
    `insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, lease, lease_until, due_at, created_at,
      updated_at)
      select $1, $2, 'we_' || n % 20, 'evt_' || n, n, ${state}, ${due}, ${nowOnce}, ${nowOnce} from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await insertMessages(client, { tenant, rows, state, due });
  await client.query(
    `insert into notices (id, kind, recipient, params, state, lease, lease_until, due_at, created_at)
      select 'ntc_' || n, 'test', 'mer_1', '', ${state}, ${due}, ${nowOnce} from generate_series(1, $1::int) n`,
    [rows],
  );
  await client.query(
    `insert into orders (project_id, livemode, id, reference, amount_minor, currency, exponent, expires_at, created_at, updated_at)
      select $1, $2, 'ord_' || n, 'INV-' || n, 100, 'CNY', 2, ${due}, ${nowOnce}, ${nowOnce} from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await insertQuestions(client, { tenant, rows, state, due });
  await client.query("set session_replication_role = origin");
  await client.query(
    "vacuum analyze webhook_endpoints, webhook_deliveries, email_recipients, calls, sms, verifications, notices, orders, gateway_payments, gateway_refunds, gateway_callbacks, gateway_comparisons",
  );
}

/** What providers are queried about, and what they reported. */
async function insertMessages(client: pg.Client, given: { tenant: Tenant; rows: number; state: string; due: string }): Promise<void> {
  const { rows, state, due } = given;
  const { project_id, livemode } = given.tenant;
  await client.query(
    `insert into email_recipients (project_id, livemode, email_id, position, id, type, address, domain, status, state, lease, lease_until,
      due_at, expires_at, created_at, updated_at)
      select $1, $2, 'em_' || n, 0, 'rec_' || n, 'to', n || '@' || n % 20 || '.example', n % 20 || '.example', 'queued', ${state}, ${due},
        ${nowOnce} + interval '1 day', ${nowOnce}, ${nowOnce}
      from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into calls (project_id, livemode, id, status, from_number, to_number, country, speed, ring_s, limit_s, state, lease,
      lease_until, due_at, expires_at, created_at, updated_at)
      select $1, $2, 'call_' || n, 'queued', '+1', '+' || n, 'C' || n % 20, 1, 30, 600, ${state}, ${due}, ${nowOnce} + interval '1 day',
        ${nowOnce}, ${nowOnce}
      from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into sms (project_id, livemode, id, direction, status, sender, sender_kind, recipient, country, encoding, segments, state,
      lease, lease_until, due_at, begun, expires_at, created_at, updated_at)
      select $1, $2, 'sms_' || n, 'outbound', case when n % 997 = 1 then 'sending' else 'queued' end, '+1', 'number', '+' || n,
        'C' || n % 20, 'GSM-7', 1, ${state}, ${due},
        n % 997 = 1, ${nowOnce} + interval '1 day', ${nowOnce}, ${nowOnce}
      from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into verifications (project_id, livemode, id, status, recipient, channels, channel, template, code_length, code_mac, key_number,
        checks_left, sends_left, tier, due_at, expires_at, ended_at, created_at, updated_at)
      select $1, $2, 'ver_' || n, case when n % 50 = 1 then 'pending' else 'approved' end, '+' || n, '{sms}', 'sms', 'code', 6,
        case when n % 50 = 1 then 'mac' end, 1, 5, 2, 'pro',
        ${due}, ${nowOnce} + interval '1 day', case when n % 50 <> 1 then ${nowOnce} end, ${nowOnce}, ${nowOnce}
      from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
}

async function insertQuestions(client: pg.Client, given: { tenant: Tenant; rows: number; state: string; due: string }): Promise<void> {
  const { rows, state, due } = given;
  const { project_id, livemode } = given.tenant;
  await client.query(
    `insert into gateway_payments (project_id, livemode, id, payment_session_id, order_id, gateway, credential_id, status, state, lease,
      lease_until, due_at, created_at, updated_at)
      select $1, $2, 'gp_' || n, 'ps_' || n, 'ord_x' || n, 'testpay', 'gc_1', 'open', ${state}, ${due}, ${nowOnce}, ${nowOnce}
        from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into gateway_refunds (project_id, livemode, id, payment_session_id, gateway, credential_id, state, lease, lease_until, due_at,
      created_at, updated_at)
      select $1, $2, 'rf_' || n, 'ps_' || n, 'testpay', 'gc_1', ${state}, ${due}, ${nowOnce}, ${nowOnce}
        from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into gateway_callbacks (project_id, livemode, id, gateway, credential_id, dedupe_key, event, told, state, lease, lease_until,
      due_at, received_at)
      select $1, $2, 'gcb_' || n, 'testpay', 'gc_1', n, 'paid', '{"kind": "nothing"}', ${state}, ${due}, ${nowOnce}
        from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
  await client.query(
    `insert into gateway_comparisons (project_id, livemode, credential_id, gateway, state, lease, lease_until, due_at, created_at)
      select $1, $2, 'gc_' || n, 'testpay', ${state}, ${due}, ${nowOnce} from generate_series(1, $3::int) n`,
    [project_id, livemode, rows],
  );
}

/** Gives this many jobs of one lost worker a lapsed lease and a record, and as many others to a live worker. */
export async function insertExpired(client: pg.Client, { table, also }: { table: string; also: string }, jobs: number): Promise<void> {
  await client.query("set session_replication_role = replica");
  const lease = async (holder: string, ends: string) => {
    await client.query(
      `update ${table} set state = 'leased', ${also}deaths = 1, lease = '${holder} 1', lease_until = ${nowOnce} + interval '${ends}'
        where ctid = any(array(select ctid from ${table} where state = 'due' limit $1))`,
      [jobs],
    );
  };
  await lease("dlv_lost", "-5 seconds");
  await lease("dlv_living", "1 minute");
  await client.query("set session_replication_role = origin");
  await client.query(`vacuum analyze ${table}`);
}

/** Gives each payment money, most of which the provider has listed, and creates as many refunds. */
export async function insertSettled(client: pg.Client, { project_id, livemode }: Tenant): Promise<void> {
  await client.query("set session_replication_role = replica");
  await client.query(
    `update gateway_payments set settled_id = 'cap_' || id, capture_id = 'cap_' || id, provider_id = 'pay_' || id, paid_minor = 100,
      paid_currency = 'CNY', paid_at = '2026-06-01T00:00:00Z', listed_at = case when right(id, 3) <> '007' then ${nowOnce} end`,
  );
  await client.query(
    `insert into received_payments (project_id, livemode, gateway, external_id, order_id, source, outcome, amount_minor, currency,
      occurred_at, created_at)
      select project_id, livemode, gateway, settled_id, order_id, 'callback', 'paid', 100, 'CNY', paid_at, paid_at from gateway_payments`,
  );
  await client.query(
    `insert into refunds (project_id, livemode, id, order_id, gateway, method, status, amount_minor, currency, gateway_refund_id,
      created_by, created_at, updated_at)
      select $1, $2, 'rf_' || n, 'ord_' || n, 'testpay', 'gateway', 'succeeded', 1, 'CNY', 're_' || n, 'test', ${nowOnce}, ${nowOnce}
        from generate_series(1, 6000) n`,
    [project_id, livemode],
  );
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze gateway_payments, received_payments, refunds");
}
