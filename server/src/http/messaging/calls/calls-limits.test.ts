import { expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();

test.each([
  ["free", 2],
  ["starter", 10],
  ["pro", 100],
] as const)("a key of the tier %s places %i calls a minute, and not one more", async (messaging_tier, limit) => {
  const shop = await app.tenant();
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier });
  const { key } = await app.key(shop);
  const post = () =>
    app.api(key).post("/v1/calls", { from: "+15005550006", to: "+15005552000", text: "Hello.", scheduled_at: "2026-11-21T08:00:00Z" });
  for (let made = 0; made < limit; made += 1) expect((await post()).status).toBe(201);
  const refused = await post();
  expect([refused.status, refused.body.error.code, refused.headers["x-ratelimit-limit"]]).toEqual([429, "rate_limited", String(limit)]);
});

test("LIVE calls are refused while no transport carries them", async () => {
  const shop = await app.tenant({ livemode: true });
  const refused = await app.api(shop.key).post("/v1/calls", { from: "+14155552670", to: "+14155552671", text: "Hello." });
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([409, "no_route", "to"]);
});
