import { expect, test } from "vitest";
import { emit } from "#events/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { orderEvent } from "../order-events.ts";
import { listOrderEvents } from "./list-parts.ts";

const app = await testApp();
const { ctx } = app;

test("an order's events are listed up to the first one, however many there are, with their count", async () => {
  const shop = await payShop(app);
  const { order } = await shop.order();
  const { order: other } = await shop.order();
  const more = Array.from({ length: 1_200 }, () => orderEvent("order.payment_pending_verify", order, {}));
  await ctx.transact((tx) => emit(tx, ctx, { tenant: order, events: more }));
  const list = (query: object) => listOrderEvents(ctx, shop.tenant, { order_id: order.id, limit: 100, ...query });
  const seen: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await list({ starting_after: seen.at(-1), total: true });
    expect(page.total_count).toBe(1_201);
    seen.push(...page.rows.map(({ id }) => id));
    hasMore = page.has_more;
  }
  expect([seen.length, new Set(seen).size]).toEqual([1_201, 1_201]);
  expect(seen).toEqual(seen.toSorted().reverse());
  const [oldest] = (await list({ ending_before: seen[1_199], limit: 1 })).rows;
  expect(oldest?.id).toBe(seen[1_198]);
  expect((await list({ starting_after: seen[1_199] })).rows).toMatchObject([{ id: seen[1_200], event: "order.created" }]);
  const [foreign] = (await listOrderEvents(ctx, shop.tenant, { order_id: other.id, limit: 1 })).rows;
  await expect(list({ starting_after: foreign?.id })).rejects.toMatchObject({ code: "invalid_cursor" });
});
