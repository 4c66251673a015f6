import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { costOf, indexesOf } from "#test/support/database/explain.sql.ts";
import { insertWaitingOrders } from "#test/support/payments/waiting-orders.sql.ts";
import { listReviewQueue } from "./list-review-queue.ts";
import { listWaitingOrderRows } from "./review-queue.sql.ts";

const app = await testApp();
const { ctx, clock } = app;

test("a page of many thousand waiting orders touches no more than one of ten", async () => {
  const [few, many] = [await app.tenant(), await app.tenant()];
  const since = clock.now();
  await app.asSuperuser(async (db) => {
    await insertWaitingOrders(db, few, { count: 10, since });
    await insertWaitingOrders(db, many, { count: 4_000, since });
  });
  const middle = (await listReviewQueue(ctx, many, { limit: 100 })).rows.at(-1)?.order.id ?? "";
  const small = await costOf(ctx.db, listWaitingOrderRows(ctx.db, few, { limit: 9 }));
  for (const cursor of [{}, { starting_after: middle }, { ending_before: middle }]) {
    const statement = () => listWaitingOrderRows(ctx.db, many, { limit: 9, ...cursor });
    expect(await indexesOf(ctx.db, statement())).toContain("payment_sessions_waiting");
    const cost = await costOf(ctx.db, statement());
    expect(cost.rows).toBe(10);
    // The trees are a level or two deeper, and a cursor looks up its place.
    expect(cost.blocks).toBeLessThanOrEqual(small.blocks * 2);
  }
  expect(await listReviewQueue(ctx, many, { limit: 1, total: true })).toMatchObject({ total_count: 4_000 });
});
