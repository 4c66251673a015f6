import { expect, it } from "vitest";
import { house } from "#test/house.ts";
import { intakeContract } from "#test/intake-contract.ts";
import { runStatement } from "#test/statement.sql.ts";
import { createOrder } from "./create-order.ts";

const home = await house();

intakeContract({
  home,
  path: "/orders",
  isGrouped: true,
  take: async (ctx, tenant, name) => (await createOrder(ctx, tenant, { amount_minor: 100, currency: "CNY", description: name })).order.id,
  takePoison: async (ctx, tenant) => (await createOrder(ctx, tenant, { amount_minor: 100, currency: "CNY", description: "a\0b" })).order.id,
  stored: async ({ project_id }) =>
    (await runStatement<{ id: string }>(home.ctx.db, "select id from orders where project_id = ?", project_id)).map(({ id }) => id),
});

it("takes a project's order before most of another's flood", async () => {
  const [loud, quiet] = [await home.tenant(), await home.tenant()];
  const order = { amount_minor: 100, currency: "CNY" };
  let taken = 0;
  const flood = Array.from({ length: 800 }, () => createOrder(home.ctx, loud, order).then(() => (taken += 1)));
  await createOrder(home.ctx, quiet, order);
  // Groups of 64: those that were under way, and the next.
  expect(taken).toBeLessThanOrEqual(256);
  await Promise.all(flood);
  expect(taken).toBe(800);
});
