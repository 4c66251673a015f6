import { expect, it } from "vitest";
import { type Database, narrow, openDatabase } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import { intakeContract } from "#test/support/queues/intake-contract.ts";
import { orderIntake } from "#test/support/queues/order-intake.ts";
import { cancelOrder } from "./cancel-order.ts";
import { createOrder } from "./create-order.ts";

const app = await testApp();
const input = { amount_minor: 100, currency: "CNY" };
const intake = orderIntake(app);
const { stored } = intake;

intakeContract(intake);

it("returns an order although it was canceled before its lost COMMIT is looked up", async () => {
  const [tenant, before] = [await app.tenant(), await app.tenant()];
  const proxy = await startDatabaseProxy(app.url);
  const cut = openDatabase({ url: proxy.url, max: 4, shared: 0, applicationName: "intake-canceled" });
  let isLost = false;
  const database: Database = {
    ...cut,
    async transact(work, claim) {
      if (isLost && proxy.mode === "pass") for (const order_id of await stored(tenant)) await cancelOrder(app.ctx, tenant, { order_id });
      return cut.transact(work, claim);
    },
  };
  const own = narrow({ ...app.ctx, db: cut.db }, {}, database);
  try {
    await createOrder(own, before, input);
    isLost = true;
    proxy.mode = "lose commit";
    const { order } = await createOrder(own, tenant, input);
    expect(await stored(tenant)).toEqual([order.id]);
  } finally {
    await cut.close(0);
    await proxy.close();
  }
});

it("accepts a project's order before most of another's flood", async () => {
  const [loud, quiet] = [await app.tenant(), await app.tenant()];
  let taken = 0;
  const flood = Array.from({ length: 300 }, () => createOrder(app.ctx, loud, input).then(() => (taken += 1)));
  await createOrder(app.ctx, quiet, input);
  // Groups of 64: those in progress, and the next.
  expect(taken).toBeLessThanOrEqual(256);
  await Promise.all(flood);
  expect(taken).toBe(300);
});
