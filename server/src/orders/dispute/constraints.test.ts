import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { open, disputesOf } = disputedShops(app, gateway);

/** Values of a dispute that no program may write: each from the state in which the dispute was reported. */
test.each([
  {
    what: "an order's payment that is in no books",
    states: ["opened"],
    change: "in_books = false, transaction_id = null",
    by: "disputes_of_books",
  },
  {
    what: "an inquiry into money of an order that is in no books",
    states: ["inquiry"],
    change: "in_books = false",
    by: "disputes_of_books",
  },
  {
    what: "money that is gone without the transfer that took it",
    states: ["opened"],
    change: "transaction_id = null",
    by: "disputes_taken",
  },
  {
    what: "a lost dispute without the transfer that took it",
    states: ["opened", "lost"],
    change: "transaction_id = null",
    by: "disputes_taken",
  },
  { what: "one that was opened without taking anything", states: ["inquiry"], change: "status = 'opened'", by: "disputes_taken" },
  { what: "one that was won while its money stays taken", states: ["opened"], change: "status = 'won'", by: "disputes_taken" },
  {
    what: "a transfer of money that is in no books",
    states: ["opened"],
    change: "in_books = false, of_order = false",
    by: "disputes_taken",
  },
] as const)("the database refuses $what", async ({ states, change, by }) => {
  const shop = await open();
  for (const [at, state] of states.entries()) await shop.report({ state, at: at + 1 });
  const before = await disputesOf(shop);
  const changing = runStatement(
    app.ctx.db,
    `update disputes set ${change} where project_id = ? and order_id = ?`,
    shop.tenant.project_id,
    shop.order_id,
  );
  await expect(changing).rejects.toMatchObject({ code: "23514", constraint: by });
  expect(await disputesOf(shop)).toEqual(before);
});
