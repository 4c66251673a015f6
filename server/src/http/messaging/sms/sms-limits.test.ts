import { expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const sms = { to: "+14155552671", body: "Your order is on its way." };

test("a text with too many parts is refused with the characters that make it longer", async () => {
  const api = app.api((await app.tenant()).key);
  const { body } = await api.post("/v1/sms", { ...sms, body: `\u2019${"a".repeat(100)}`, max_segments: 1 });
  expect(body.error).toMatchObject({ code: "parameter_invalid", param: "body" });
  expect(body.error.message).toContain("needs 2 parts, but only 1 is allowed");
  expect(body.error.message).toContain("\u2019");
});

test("the eleventh message in a minute is refused on the free tier, and no earlier one", async () => {
  const api = app.api((await app.tenant()).key);
  const answers = [];
  for (let n = 0; n < 11; n += 1) answers.push(await api.post("/v1/sms", sms));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  expect(answers[0]?.headers).toMatchObject({ "x-ratelimit-limit": "10", "x-ratelimit-remaining": "9" });
  expect(answers[10]?.body.error.code).toBe("rate_limited");
});

const [minute, hour] = [60_000, 3_600_000];
/** How many requests of a window are made; those before them are only counted, in the window that requests are counted in. */
const made = 5;

test.each([
  ["/v1/sms", "free", 10, minute],
  ["/v1/sms", "starter", 50, minute],
  ["/v1/sms", "pro", 500, minute],
  ["/v1/sms", "enterprise", 5_000, minute],
  ["/v1/sms/batch", "free", 6, hour],
  ["/v1/sms/batch", "starter", 30, hour],
  ["/v1/sms/batch", "pro", 300, hour],
  ["/v1/sms/batch", "enterprise", 3_000, hour],
] as const)("POST %s with a key of the tier %s is accepted %i times, and not once more", async (url, tier, limit, windowMs) => {
  const shop = await app.tenant();
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, messaging_tier: tier });
  const { id, key } = await app.key(shop);
  const api = app.api(key);
  const post = () => api.post(url, url === "/v1/sms" ? sms : [sms]);
  const window = (await app.server()).limits.bucket(`POST ${url}`);
  for (let n = made; n < limit; n += 1) await window.take(id, { limit, windowMs }, app.ctx.now().getTime());
  for (let left = made - 1; left >= 0; left -= 1) {
    const { status, headers } = await post();
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([201, String(left)]);
  }
  const refused = await post();
  expect([refused.status, refused.body.error.code, refused.headers["x-ratelimit-limit"]]).toEqual([429, "rate_limited", String(limit)]);
  // A window isn't shared with the other endpoint.
  expect((await api.post(url === "/v1/sms" ? "/v1/sms/batch" : "/v1/sms", url === "/v1/sms" ? [sms] : sms)).status).toBe(201);
  app.clock.advance(windowMs);
  expect((await post()).status).toBe(201);
});

test("parts count against the day, and the message that would exceed it is refused completely", async () => {
  const api = app.api((await app.tenant()).key);
  const messages = Array.from({ length: 9 }, () => ({ ...sms, body: "a".repeat(1_530) }));
  expect((await api.post("/v1/sms/batch", messages)).status).toBe(201);
  expect((await api.post("/v1/sms", { ...sms, body: "a".repeat(1_530) })).status).toBe(201);
  const refused = await api.post("/v1/sms", sms);
  expect([refused.status, refused.body.error.code]).toEqual([429, "quota_exceeded"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});

test("LIVE without any route is refused before anything but the text is checked", async () => {
  const api = app.api((await app.tenant({ livemode: true })).key);
  const { status, body } = await api.post("/v1/sms", { ...sms, from: "ACME" });
  expect([status, body.error.code]).toEqual([409, "no_route"]);
  expect(body.error.details).toMatchObject([{ param: "to", code: "no_route", reason: "no_route", values: { value: "US" } }]);
});
