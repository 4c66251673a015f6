import { expect, test } from "vitest";
import { createOrder, expireDue } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { watchFailing } from "#webhooks/index.ts";
import { countWarnings, updateFailingSince } from "./skewed.sql.ts";

const app = await testApp();
const apartMs = 600_000;
const processAt = (aheadMs: number): Ctx => ({ ...app.ctx, now: () => new Date(app.clock.now().getTime() + aheadMs) });

test.each([
  ["fast", apartMs],
  ["slow", -apartMs],
])("a process ten minutes %s creates orders that expire like others', and expires none early", async (_how, aheadMs) => {
  const shop = await app.tenant();
  const odd = processAt(aheadMs);
  const made = await createOrder(odd, shop, { amount_minor: 1_000, currency: "CNY", expires_in: 300 });
  expect(made.order.created_at).toEqual(app.clock.now());
  expect(made.order.expires_at).toEqual(new Date(app.clock.now().getTime() + 300_000));
  expect(await expireDue(odd)).toBe(0);
  expect(await expireDue(app.ctx)).toBe(0);
  app.clock.advance(300_000);
  expect(await expireDue(odd)).toBe(1);
});

test.each([
  ["fast", apartMs],
  ["slow", -apartMs],
])("a process ten minutes %s reports a failing endpoint when it has failed for a day, and not before", async (_how, aheadMs) => {
  const shop = await app.tenant();
  const odd = processAt(aheadMs);
  const endpoint = await endpointAt(app.ctx, shop, "https://shop.example.com/hooks");
  await updateFailingSince(app.ctx.db, endpoint.id, new Date(app.clock.now().getTime() - 86_400_000 + 300_000));
  expect([await watchFailing(odd), await countWarnings(app.ctx.db, endpoint.id)]).toEqual([0, 0]);
  app.clock.advance(300_000);
  expect([await watchFailing(odd), await countWarnings(app.ctx.db, endpoint.id)]).toEqual([1, 1]);
});
