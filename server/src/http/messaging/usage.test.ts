import { expect, test } from "vitest";
import { setMerchantSending } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const email = { from: "orders@tillpost.example", subject: "Hello", text: "Hello" };

refusals("GET /v1/usage", () => ({}));

test("usage counts every recipient of today, each environment separately, next to what the tier allows", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const today = app.ctx.now().toISOString().slice(0, 10);
  const empty = (await api.get("/v1/usage")).body;
  expect(empty).toMatchObject({
    object: "usage",
    messaging_tier: "free",
    emails: { quota: 1_000, used: 0, remaining: 1_000 },
    sms: { quota: 100, used: 0, remaining: 100 },
    calls: { quota: 50, used: 0, remaining: 50 },
    limits: { emails_per_minute: 20, sms_per_minute: 10, calls_per_minute: 2, burst: 20 },
  });
  expect(empty.emails.days).toHaveLength(30);
  expect((await api.post("/v1/emails", { ...email, to: ["ada@corner-readers.com", "bob@corner-readers.com"] })).status).toBe(201);
  expect((await api.post("/v1/emails", { ...email, to: "ada@corner-readers.com" })).status).toBe(201);
  const { body } = await api.get("/v1/usage");
  expect(body.emails).toMatchObject({ used: 3, remaining: 997, resets_at: new Date(Date.parse(today) + 86_400_000).toISOString() });
  expect(body.emails.days.at(-1)).toEqual({ day: today, used: 3 });
  expect((await api.post("/v1/sms", { to: "+15005551000", body: "中".repeat(71) })).status).toBe(201);
  expect((await api.post("/v1/calls", { from: "+15005550006", to: "+15005552000", text: "Hello" })).status).toBe(201);
  expect((await api.get("/v1/usage")).body).toMatchObject({ sms: { used: 2, remaining: 98 }, calls: { used: 1, remaining: 49 } });
  const live = await app.tenant({ merchant_id: shop.merchant_id, livemode: true });
  expect((await app.api(live.key).get("/v1/usage")).body.emails.used).toBe(0);
});

test("usage shows that LIVE is suspended, why, and how many messages wait; TEST and other merchants don't see it", async () => {
  const shop = await app.tenant({ livemode: true });
  const api = app.api(shop.key);
  for (const to of ["ada@corner-readers.com", "bob@corner-readers.com"])
    expect((await api.post("/v1/emails", { ...email, to })).status).toBe(201);
  const free = { suspended_at: null, reason: null, waiting: 0 };
  const sendingOf = async ({ key }: { key: string }) => (await app.api(key).get("/v1/usage")).body.sending;
  expect(await sendingOf(shop)).toEqual(free);
  await setMerchantSending(app.ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
  expect(await sendingOf(shop)).toEqual({ suspended_at: app.ctx.now().toISOString(), reason: "Complaints", waiting: 2 });
  expect(await sendingOf(await app.tenant({ merchant_id: shop.merchant_id, livemode: true }))).toMatchObject({
    reason: "Complaints",
    waiting: 0,
  });
  expect(await sendingOf(await app.tenant({ merchant_id: shop.merchant_id }))).toEqual(free);
  expect(await sendingOf(await app.tenant({ livemode: true }))).toEqual(free);
});
