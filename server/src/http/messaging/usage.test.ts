import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { refusalsIn } from "#test/refusals.ts";

const home = await house({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(home);
const email = { from: "orders@tillpost.example", subject: "Hello", text: "Hello" };

refusals("GET /v1/usage", () => ({}));

test("usage counts every recipient of today, each environment by itself, beside what the tier allows", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const today = home.ctx.now().toISOString().slice(0, 10);
  const empty = (await api.get("/v1/usage")).body;
  expect(empty).toMatchObject({
    object: "usage",
    messaging_tier: "free",
    emails: { quota: 1_000, used: 0, remaining: 1_000 },
    limits: { emails_per_minute: 20, burst: 20 },
  });
  expect(empty.emails.days).toHaveLength(30);
  expect((await api.post("/v1/emails", { ...email, to: ["ada@corner-readers.com", "bob@corner-readers.com"] })).status).toBe(201);
  expect((await api.post("/v1/emails", { ...email, to: "ada@corner-readers.com" })).status).toBe(201);
  const { body } = await api.get("/v1/usage");
  expect(body.emails).toMatchObject({ used: 3, remaining: 997, resets_at: new Date(Date.parse(today) + 86_400_000).toISOString() });
  expect(body.emails.days.at(-1)).toEqual({ day: today, used: 3 });
  const live = await home.tenant({ merchant_id: shop.merchant_id, livemode: true });
  expect((await home.api(live.key).get("/v1/usage")).body.emails.used).toBe(0);
});
