import { expect, test } from "vitest";
import { createOrder, expireDue } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { house } from "#test/support/house/house.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { watchFailing } from "#webhooks/index.ts";
import { countWarnings, updateFailingSince } from "./skewed.sql.ts";

const home = await house();
const apartMs = 600_000;
const processAt = (aheadMs: number): Ctx => ({ ...home.ctx, now: () => new Date(home.clock.now().getTime() + aheadMs) });

test.each([
  ["fast", apartMs],
  ["slow", -apartMs],
])("a process ten minutes %s makes orders that live as long as others', and ends none before its time", async (_how, aheadMs) => {
  const shop = await home.tenant();
  const odd = processAt(aheadMs);
  const made = await createOrder(odd, shop, { amount_minor: 1_000, currency: "CNY", expires_in: 300 });
  expect(made.order.created_at).toEqual(home.clock.now());
  expect(made.order.expires_at).toEqual(new Date(home.clock.now().getTime() + 300_000));
  expect(await expireDue(odd)).toBe(0);
  expect(await expireDue(home.ctx)).toBe(0);
  home.clock.advance(300_000);
  expect(await expireDue(odd)).toBe(1);
});

test.each([
  ["fast", apartMs],
  ["slow", -apartMs],
])("a process ten minutes %s tells of a failing endpoint when it has failed for a day, and not before", async (_how, aheadMs) => {
  const shop = await home.tenant();
  const odd = processAt(aheadMs);
  const endpoint = await endpointAt(home.ctx, shop, "https://shop.example.com/hooks");
  await updateFailingSince(home.ctx.db, endpoint.id, new Date(home.clock.now().getTime() - 86_400_000 + 300_000));
  expect([await watchFailing(odd), await countWarnings(home.ctx.db, endpoint.id)]).toEqual([0, 0]);
  home.clock.advance(300_000);
  expect([await watchFailing(odd), await countWarnings(home.ctx.db, endpoint.id)]).toEqual([1, 1]);
});
