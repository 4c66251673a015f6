import { beforeAll, expect, test } from "vitest";
import { listCallRows } from "#calls/read/sql.ts";
import { listEmailRows } from "#email/read/sql.ts";
import { listOrderRows } from "#orders/order/list.sql.ts";
import { listLinked } from "#orders/rows/linked.sql.ts";
import { type Db, openDatabase } from "#platform/index.ts";
import type { PageCut } from "#platform/sql.ts";
import { listSmsRows } from "#sms/read/sql.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { onClient } from "./plans.sql.ts";

const app = await testApp();
const tenant = await app.tenant();
const stored = 3_000;

/** Enough rows that a plan for an unknown number of rows looks expensive. */
beforeAll(() =>
  onClient(app.superuserUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    const insert = (table: string, columns: string, values: string) =>
      client.query(
        `insert into ${table} (project_id, livemode, ${columns}, created_at, updated_at)
          select $1, $2, ${values}, (select app_now()), (select app_now()) from generate_series(1, ${stored}) n`,
        [tenant.project_id, tenant.livemode],
      );
    await insert(
      "orders",
      "id, reference, amount_minor, currency, exponent, locale, expires_at",
      "'ord_' || n, n, 9900, 'CNY', 2, 'auto', (select app_now())",
    );
    await insert(
      "emails",
      "id, status, from_address, from_text, addressees, subject, category, message_id, size_bytes, recipients, expires_at",
      "'em_' || n, 'delivered', 'a@b.example', 'a@b.example', '[]', 'Hi', 'transactional', n, 100, 1, (select app_now())",
    );
    await insert(
      "sms",
      "id, direction, status, sender, sender_kind, recipient, country, encoding, segments, state, due_at, expires_at",
      "'sms_' || n, 'outbound', 'delivered', '+1', 'number', '+' || n, 'US', 'GSM-7', 1, 'done', (select app_now()), (select app_now())",
    );
    await insert(
      "calls",
      "id, status, from_number, to_number, country, speed, ring_s, limit_s, state, due_at, expires_at",
      "'call_' || n, 'completed', '+1', '+' || n, 'US', 1, 30, 600, 'done', (select app_now()), (select app_now())",
    );
    await client.query("vacuum analyze orders, emails, sms, calls");
  }),
);

/**
 * How often ten reads used a plan that fits any values (`kept`), and one made for theirs (`made`). PostgreSQL chooses from the sixth on.
 */
async function plansOfTen(read: (db: Db) => PromiseLike<unknown>): Promise<{ kept: number; made: number }> {
  const database = openDatabase({ url: app.url, max: 1, shared: 0, ...patience });
  try {
    for (let time = 0; time < 10; time += 1) await read(database.db);
    const [row] = await runStatement<{ kept: number; made: number }>(
      database.db,
      "select generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements order by prepare_time limit 1",
    );
    return row ?? { kept: 0, made: 0 };
  } finally {
    await database.close();
  }
}

const lists: [string, (db: Db, cut: PageCut) => PromiseLike<unknown>][] = [
  ["orders", (db, cut) => listOrderRows(db, tenant, { filters: {}, cut })],
  ["emails", (db, cut) => listEmailRows(db, tenant, { filters: {}, cut })],
  ["SMS", (db, cut) => listSmsRows(db, tenant, { filters: {}, cut })],
  ["calls", (db, cut) => listCallRows(db, tenant, { filters: {}, cut })],
];

test.each(lists)("pages of %s without filters keep one plan", async (_name, read) => {
  expect(await plansOfTen((db) => read(db, { limit: 20, starting_after: "zzz" }))).toEqual({ kept: 5, made: 5 });
});

test.each([50, 100])("pages of %i orders, each with its link and session, keep one plan", async (limit) => {
  const cut = { limit, starting_after: "zzz" };
  expect(await plansOfTen((db) => listOrderRows(db, tenant, { filters: {}, cut }))).toEqual({ kept: 5, made: 5 });
});

test.each(lists)("pages of %s with an unusual limit are planned every time, which is what the others avoid", async (_name, read) => {
  expect(await plansOfTen((db) => read(db, { limit: 19, starting_after: "zzz" }))).toEqual({ kept: 0, made: 10 });
});

test("a filtered list is planned for its filter's values", async () => {
  const filters = { status: ["paid"] };
  expect(await plansOfTen((db) => listOrderRows(db, tenant, { filters, cut: { limit: 20, starting_after: "zzz" } }))).toEqual({
    kept: 0,
    made: 10,
  });
});

test("a payment page keeps one plan", async () => {
  expect(await plansOfTen((db) => listLinked(db, ["pl_test_unknown"]))).toEqual({ kept: 5, made: 5 });
});
