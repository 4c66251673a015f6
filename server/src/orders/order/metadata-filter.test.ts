import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { indexesOf } from "#test/support/database/explain.sql.ts";
import { insertManyOrders } from "#test/support/payments/many-orders.sql.ts";
import { listOrders } from "./find-order.ts";
import { listOrderRows } from "./list.sql.ts";

const app = await testApp();
const tenant = await app.tenant();
const { db } = app.ctx;
await app.asSuperuser((own) => insertManyOrders(own, tenant, { count: 10_000, until: app.clock.now() }));

const index = "orders_by_metadata";
const plan = (metadata: Record<string, string>, cut: { limit: number } | null) =>
  indexesOf(db, listOrderRows(db, tenant, { filters: { metadata }, cut }));

test("a rare metadata value is found by the index of metadata, on a page and in a count", async () => {
  for (const metadata of [{ cart: "17" }, { plan: "pro", cart: "17" }, { cart: "none" }]) {
    expect(await plan(metadata, { limit: 20 })).toContain(index);
    expect(await plan(metadata, null)).toContain(index);
  }
  expect((await listOrders(app.ctx, tenant, { limit: 20, total: true, filters: { metadata: { cart: "17" } } })).total_count).toBe(1);
});

test("a very common value is read in the order of the list", async () => {
  expect(await plan({ plan: "pro" }, { limit: 20 })).not.toContain(index);
});
