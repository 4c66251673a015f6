import { expect, test } from "vitest";
import { migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";

const now = "'2026-11-20T08:00:00Z'";
const own = await emptyDatabase();
await migrateBefore(own.url, 52);
const database = openDatabase({ url: own.url, max: 1 });
const write = (text: string) => runStatement(database.db, text);
const sums = (id: string) =>
  runStatement(database.db, "select amount_received_minor as received, amount_held_minor as held from orders where id = ?", id);

await write(`insert into merchants (id, display_name, created_at, updated_at) values ('mer_1', 'Books', ${now}, ${now})`);
await write(`insert into projects (id, merchant_id, name, slug, default_currency, created_at, updated_at)
  values ('prj_a', 'mer_1', 'Shop', 'a', 'CNY', ${now}, ${now})`);
for (const [id, status, received] of [
  ["exact", "paid", 1000],
  ["lowered", "paid", 997],
  ["over", "paid", 1200],
  // Two were forgiven, and 150 arrived beyond what was due.
  ["below", "paid", 1148],
  ["short", "unpaid", 400],
  ["ended", "expired", 300],
  ["fresh", "unpaid", 0],
])
  await write(`insert into orders (project_id, livemode, id, reference, status, amount_minor, currency, exponent, amount_received_minor, paid_at, expires_at,
    created_at, updated_at) values ('prj_a', false, '${id}', '${id}', '${status}', 1000, 'CNY', 2, ${received},
    ${status === "paid" ? now : "null"}, ${now}, ${now}, ${now})`);
for (const [order, kind, status, minor] of [
  ["over", "overpaid", "open", 200],
  ["below", "overpaid", "resolved", 150],
  ["short", "underpaid", "open", 400],
  ["ended", "underpaid", "open", 300],
])
  await write(`insert into payment_exceptions (project_id, livemode, id, kind, status, resolution, resolved_at, order_id, gateway, external_id, amount_minor, currency,
    detail, created_at, updated_at) values ('prj_a', false, 'exc_${order}', '${kind}', '${status}', ${status === "open" ? "null, null" : `'accept', ${now}`},
    '${order}', 'alipay', 'T${order}', ${minor}, 'CNY', '{}', ${now}, ${now})`);
for (const [order, source, outcome] of [
  ["exact", "receipt", "paid"],
  ["lowered", "review", "paid"],
  ["short", "receipt", "exception"],
])
  await write(`insert into received_payments (project_id, livemode, gateway, external_id, order_id, source, outcome, amount_minor, currency, occurred_at, created_at)
    values ('prj_a', false, 'alipay', 'M${order}', '${order}', '${source}', '${outcome}', 1000, 'CNY', ${now}, ${now})`);
await migrate(own.url, migrations);

test.each([
  ["exact", 1000, 0],
  ["lowered", 997, 0],
  ["over", 1000, 200],
  ["below", 998, 150],
  ["short", 0, 400],
  ["ended", 0, 300],
])("what an order received (%s) is separated from what is held for it", async (id, received, held) => {
  expect(await sums(id)).toEqual([{ received, held }]);
});

test("an order that a receipt paid automatically says so", async () => {
  expect(await runStatement(database.db, "select id, flags from orders where flags <> '{}'")).toEqual([
    { id: "exact", flags: ["auto_matched"] },
  ]);
});

test("what a process of the previous version writes is separated too", async () => {
  const receive = (id: string, minor: number, status: string) =>
    write(`update orders set status = '${status}', paid_at = ${status === "paid" ? now : "null"}, amount_received_minor = amount_received_minor + ${minor}
      where id = '${id}'`);
  await receive("fresh", 400, "unpaid");
  expect(await sums("fresh")).toEqual([{ received: 0, held: 400 }]);
  await receive("fresh", -400, "unpaid");
  expect(await sums("fresh")).toEqual([{ received: 0, held: 0 }]);
  await receive("fresh", 300, "unpaid");
  await receive("fresh", 700, "paid");
  expect(await sums("fresh")).toEqual([{ received: 1000, held: 0 }]);
  await receive("short", 800, "paid");
  expect(await sums("short")).toEqual([{ received: 1000, held: 200 }]);
  await write("update orders set updated_at = updated_at where id = 'below'");
  expect(await sums("below")).toEqual([{ received: 998, held: 150 }]);
  await database.close();
});
