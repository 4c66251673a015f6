import { expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { createProject } from "#projects/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

const app = await testApp();
const refused = { status: 400, body: { error: { code: "limit_reached" } } };

/** Opens projects by the operator's command until the merchant has this many. */
async function fill({ merchant_id }: TestTenant, count: number): Promise<void> {
  for (let n = 1; n < count; n += 1)
    await createProject(app.ctx, { merchant_id, name: "Shop", slug: `shop-${n}`, default_currency: "CNY" });
}

async function opener(shop: TestTenant) {
  const { api } = await visitor(app, { merchant_id: shop.merchant_id });
  return (slug: string) => api.post("/api/v1/projects", { name: "Shop", slug, default_currency: "CNY" });
}

test("a merchant on the Free tier opens up to twenty projects, also with concurrent requests, and more on another tier", async () => {
  const shop = await app.tenant();
  const open = await opener(shop);
  await fill(shop, 19);
  const statuses = (await Promise.all(["a", "b", "c"].map(open))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 400, 400]);
  expect(await open("d")).toMatchObject(refused);
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier: "pro" });
  expect((await open("d")).status).toBe(201);
});

test("a merchant that isn't verified opens up to twenty projects on any tier, and the operator's command isn't limited", async () => {
  const shop = await app.tenant({ verified: false });
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier: "pro" });
  await fill(shop, 21);
  expect(await (await opener(shop))("d")).toMatchObject(refused);
});
