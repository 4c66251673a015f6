import { expect, test } from "vitest";
import { countPutOff, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { withLog } from "#test/support/app/with-log.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { OrderRow } from "../shapes.ts";
import { createOrder } from "./create-order.ts";
import { expireDue } from "./expire-due.ts";
import { findOrder } from "./find-order.ts";
import { listOrderEvents } from "./list-parts.ts";

const app = await testApp();
const { ctx, lines } = withLog(app.ctx);
const shopWith = receiptShops(app);
const task = "expire_orders";

async function ordersOf(shop: Tenant, count: number, expires_in = 300): Promise<OrderRow[]> {
  const input = { amount_minor: 1_000, currency: "CNY", expires_in };
  const made = await Promise.all(Array.from({ length: count }, () => createOrder(ctx, shop, input)));
  return made.map(({ order }) => order);
}
const statusesOf = (orders: readonly OrderRow[]) =>
  Promise.all(orders.map(async (order) => (await findOrder(ctx, order, order.id)).order.status));

test("an order that the database refuses to expire keeps none of ninety-nine others open, and is reported", async () => {
  const orders = [...(await ordersOf(await app.tenant(), 50)), ...(await ordersOf(await app.tenant(), 50))];
  const [odd, ...others] = orders as [OrderRow, ...OrderRow[]];
  const allow = await refuseRows(app, "orders", { ids: [odd.id] });
  app.clock.advance(301_000);
  expect(await expireDue(ctx)).toBe(99);
  expect(new Set(await statusesOf(others))).toEqual(new Set(["expired"]));
  expect(await statusesOf([odd])).toEqual(["unpaid"]);
  const [other] = others as [OrderRow];
  const { rows } = await listOrderEvents(ctx, other, { order_id: other.id, limit: 10 });
  expect(rows.map(({ event }) => event)).toContain("order.expired");
  expect(lines).toMatchObject([{ task, kind: "order", row: odd.id, err: { message: "this row is refused" } }]);
  expect(countPutOff(ctx.db, task)).toBe(1);
  expect(await expireDue(ctx)).toBe(0);
  await allow();
  await eventually("it expires as well", async () => (await expireDue(ctx)) === 1);
  expect([await statusesOf([odd]), countPutOff(ctx.db, task)]).toEqual([["expired"], 0]);
});

test("more refused orders than a portion has hide no other order", async () => {
  const refused = await ordersOf(await app.tenant(), 3);
  const others = await ordersOf(await app.tenant(), 2, 400);
  const allow = await refuseRows(app, "orders", { ids: refused.map(({ id }) => id) });
  app.clock.advance(401_000);
  for (let pass = 0; pass < 3; pass += 1) await expireDue(ctx, 2);
  expect(await statusesOf(others)).toEqual(["expired", "expired"]);
  expect(countPutOff(ctx.db, task)).toBe(3);
  await allow();
  // An order that is no longer due is no longer counted.
  for (const { id } of refused) await runStatement(ctx.db, "update orders set expires_at = expires_at + interval '1 day' where id = ?", id);
  await eventually("they are forgotten", async () => (await expireDue(ctx)) === 0 && countPutOff(ctx.db, task) === 0);
});

test("any number of refused orders of one project keeps another's open for no run", async () => {
  const refused = await ordersOf(await app.tenant(), 30);
  const others = await ordersOf(await app.tenant(), 2, 400);
  const allow = await refuseRows(app, "orders", { ids: refused.map(({ id }) => id) });
  app.clock.advance(401_000);
  lines.length = 0;
  expect(await expireDue(ctx, 10)).toBe(2);
  expect(await statusesOf(others)).toEqual(["expired", "expired"]);
  // The rest of them is put off untried.
  expect([lines.length, countPutOff(ctx.db, task)]).toEqual([3, 30]);
  await allow();
  await eventually("they expire as well", async () => (await expireDue(ctx)) === 0 && countPutOff(ctx.db, task) === 0);
  expect(new Set(await statusesOf(refused))).toEqual(new Set(["expired"]));
});

test("if the database refuses all due orders, a run fails after five of them, and the rest isn't tried", async () => {
  const orders: OrderRow[] = [];
  for (let n = 0; n < 10; n += 1) orders.push(...(await ordersOf(await app.tenant(), 3)));
  const allow = await refuseRows(app, "orders", { ids: orders.map(({ id }) => id) });
  app.clock.advance(301_000);
  await expect(expireDue(ctx)).rejects.toThrow("this row is refused");
  expect(countPutOff(ctx.db, task)).toBe(5);
  await allow();
  expect(await expireDue(ctx)).toBe(30);
  expect([new Set(await statusesOf(orders)), countPutOff(ctx.db, task)]).toEqual([new Set(["expired"]), 0]);
});

test("payment sessions are ended even if the database refuses all due orders", async () => {
  const { session_id } = await (await shopWith({ mode: "exact" })).paying();
  const orders = await ordersOf(await app.tenant(), 5);
  const allow = await refuseRows(app, "orders", { ids: orders.map(({ id }) => id) });
  app.clock.advance(3_600_000);
  await expect(expireDue(ctx)).rejects.toThrow("this row is refused");
  const [session] = await runStatement<{ status: string }>(ctx.db, "select status from payment_sessions where id = ?", session_id);
  expect(session?.status).toBe("expired");
  await allow();
  while ((await expireDue(ctx)) > 0);
  expect(new Set(await statusesOf(orders))).toEqual(new Set(["expired"]));
});

test("a payment session that the database refuses to expire keeps no other one open", async () => {
  const sessions: string[] = [];
  for (let n = 0; n < 3; n += 1) sessions.push((await (await shopWith({ mode: "exact" })).paying()).session_id);
  await refuseRows(app, "payment_sessions", { ids: sessions.slice(0, 1) });
  app.clock.advance(3_600_000);
  expect(await expireDue(ctx)).toBe(2);
  const rows = await runStatement<{ id: string; status: string }>(ctx.db, "select id, status from payment_sessions");
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  expect(sessions.map((id) => statuses.get(id))).toEqual(["pending", "expired", "expired"]);
});
