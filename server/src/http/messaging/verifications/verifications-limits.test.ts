import { expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();

test.each([
  ["free", 10],
  ["starter", 50],
  ["pro", 500],
  ["enterprise", 5_000],
] as const)("a key of the tier %s starts %i verifications a minute, and not one more", async (messaging_tier, limit) => {
  const shop = await app.tenant();
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier });
  const { id, key } = await app.key(shop);
  const post = (n: number) => app.api(key).post("/v1/verifications", { to: `reader${n}@corner-readers.com`, channels: ["email"] });
  // All but the last ten are only counted, in the window that requests are counted in.
  const window = (await app.server()).limits.bucket("POST /v1/verifications");
  for (let n = 10; n < limit; n += 1) await window.take(id, { limit, windowMs: 60_000 }, app.ctx.now().getTime());
  for (let made = 0; made < 10; made += 1) expect((await post(made)).status).toBe(201);
  const refused = await post(10);
  expect([refused.status, refused.body.error.code, refused.headers["x-ratelimit-limit"]]).toEqual([429, "rate_limited", String(limit)]);
});
