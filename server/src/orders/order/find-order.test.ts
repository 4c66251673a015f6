import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { createOrder } from "./create-order.ts";
import { findOrder } from "./find-order.ts";

const app = await testApp();

test("an id that the database refuses fails individually, not with those that are read at the same moment", async () => {
  const { ctx } = app;
  const tenant = await app.tenant();
  const { order } = await createOrder(ctx, tenant, { amount_minor: 9_900, currency: "CNY" });
  const ids = [order.id, `${order.id}\u0000`, order.id];
  const read = await Promise.allSettled(ids.map((id) => findOrder(ctx, tenant, id)));
  expect(read.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});
