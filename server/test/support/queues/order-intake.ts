import { createOrder } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import type { IntakeUnderTest } from "./intake-contract.ts";

const input = { amount_minor: 100, currency: "CNY" };

/** Requests for an order. */
export const orderIntake = (app: TestApp): IntakeUnderTest => ({
  app,
  path: "/orders",
  isGrouped: true,
  take: async (ctx, tenant, name) => (await createOrder(ctx, tenant, { ...input, description: name })).order.id,
  takePoison: async (ctx, tenant) => (await createOrder(ctx, tenant, { ...input, description: "a\0b" })).order.id,
  stored: async ({ project_id }) =>
    (await runStatement<{ id: string }>(app.ctx.db, "select id from orders where project_id = ?", project_id)).map(({ id }) => id),
});
