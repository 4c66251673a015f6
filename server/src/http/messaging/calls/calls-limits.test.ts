import { expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import type { Tier } from "#messaging/index.ts";
import type { Answer, Api } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();

/** How many requests of a test are made; those before them are only counted, in the window that requests are counted in. */
const made = 100;

async function keyOf(messaging_tier: Tier): Promise<{ id: string; api: Api }> {
  const shop = await app.tenant();
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier });
  const { id, key } = await app.key(shop);
  return { id, api: app.api(key) };
}

async function count(id: string, { scope, limit, requests }: { scope: string; limit: number; requests: number }): Promise<void> {
  const window = (await app.server()).limits.bucket(scope);
  for (let n = 0; n < requests; n += 1) await window.take(id, { limit, windowMs: 60_000 }, app.ctx.now().getTime());
}

const place = (api: Api) =>
  api.post("/v1/calls", { from: "+15005550006", to: "+15005552000", text: "Hello.", scheduled_at: "2026-11-21T08:00:00Z" });
const refusal = ({ status, body, headers }: Answer) => [status, body.error?.code, headers["x-ratelimit-limit"]];

test.each([
  ["free", 2],
  ["starter", 10],
  ["pro", 100],
  ["enterprise", 1_000],
] as const)("a key of the tier %s places %i calls a minute, and not one more", async (tier, limit) => {
  const { id, api } = await keyOf(tier);
  await count(id, { scope: "POST /v1/calls", limit, requests: Math.max(0, limit - made) });
  for (let n = 0; n < Math.min(limit, made); n += 1) expect((await place(api)).status).toBe(201);
  expect(refusal(await place(api))).toEqual([429, "rate_limited", String(limit)]);
});

test.each([
  ["free", 100],
  ["starter", 500],
  ["pro", 2_000],
  ["enterprise", 20_000],
] as const)("a key of the tier %s reads lists of calls, and single calls, %i times a minute, and not once more", async (tier, limit) => {
  const { id, api } = await keyOf(tier);
  const call = (await place(api)).body.id;
  for (const [scope, path] of [
    ["GET /v1/calls", "/v1/calls"],
    ["GET /v1/calls/:id", `/v1/calls/${call}`],
  ] as const) {
    await count(id, { scope, limit, requests: limit - made });
    for (let n = 0; n < made; n += 1) expect((await api.get(path)).status).toBe(200);
    expect(refusal(await api.get(path))).toEqual([429, "rate_limited", String(limit)]);
  }
});

test("LIVE calls are refused while no transport carries them", async () => {
  const shop = await app.tenant({ livemode: true });
  const refused = await app.api(shop.key).post("/v1/calls", { from: "+14155552670", to: "+14155552671", text: "Hello." });
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([409, "no_route", "to"]);
});
