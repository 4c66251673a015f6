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
