import { expect, test } from "vitest";
import { changeMerchant, setMerchantSending } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({
  http: { perMinuteUnauthenticated: 1_000, tierLimits: ["free.sms_batches=100000"] },
  sms: openSms([scriptedCarrier({ countries: ["US"] })]),
});
const refusals = refusalsIn(app);
const sms = { to: "+14155552671", body: "Hello" };
const many = (count: number) => Array.from({ length: count }, () => sms);
const good: Good = () => ({ body: { messages: [sms] } });

refusals("POST /v1/sms/batch", good, [
  { name: "an empty list", body: [], status: 400, code: "parameter_invalid", param: "body" },
  { name: "101 messages", body: many(101), status: 400, code: "batch_too_large", param: "body" },
  { name: "101 messages under their name", body: { messages: many(101) }, status: 400, code: "batch_too_large", param: "messages" },
  { name: "the name of another channel", body: { emails: [sms] }, status: 400, code: "parameter_unknown", param: "emails" },
  { name: "no list", body: {}, status: 400, code: "parameter_missing", param: "messages" },
  {
    name: "unknown defaults",
    body: { defaults: { colour: 1 }, messages: [sms] },
    status: 400,
    code: "parameter_unknown",
    param: "defaults.colour",
  },
  { name: "one message to nobody", body: [sms, { ...sms, to: "nobody" }], status: 400, code: "recipient_invalid", param: "to" },
  { name: "one message without a text", body: [sms, { to: sms.to }], status: 400, code: "parameter_missing", param: "body" },
  { name: "a text in place of a message", body: [sms, "x"], status: 400, code: "parameter_invalid" },
  {
    name: "only faulty messages, though permissive",
    body: [{ ...sms, to: "nobody" }],
    headers: { "x-batch-validation": "permissive" },
    status: 400,
    code: "recipient_invalid",
  },
  {
    name: "LIVE messages of a merchant whose sending is suspended",
    tenant: { livemode: true },
    given: async (shop) => {
      await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
      await setMerchantSending(app.ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
      return undefined;
    },
    status: 403,
    code: "sending_suspended",
  },
  {
    name: "LIVE to a country that no route reaches",
    tenant: { livemode: true },
    given: async (shop) => {
      await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "DE" });
      return undefined;
    },
    body: { messages: [{ ...sms, to: "+4915112345678" }] },
    status: 409,
    code: "no_route",
    param: "to",
  },
]);

test("a strict batch reports every fault with the index of its message, and creates nothing", async () => {
  const api = app.api((await app.tenant()).key);
  const answer = await api.post("/v1/sms/batch", [sms, { ...sms, colour: 1 }, { ...sms, to: "nobody", from: "ACME Books Limited" }]);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.map(({ index, param, code }: Record<string, unknown>) => [index, param, code])).toEqual([
    [1, "colour", "parameter_unknown"],
    [2, "to", "recipient_invalid"],
    [2, "from", "parameter_invalid"],
  ]);
  expect((await api.get("/v1/sms")).body.data).toEqual([]);
});

test("a field given under its other name takes precedence over the defaults", async () => {
  const api = app.api((await app.tenant()).key);
  const messages = [
    { to: sms.to, text: "Hi", expires_in: 60 },
    { to: sms.to, text: null },
  ];
  const made = await api.post("/v1/sms/batch", { defaults: { body: "Hello", validity_period: 600 }, messages });
  expect(made.status, made.text).toBe(201);
  const sent = (await api.get(`/v1/sms?batch_id=${made.body.id}`)).body.data.toReversed();
  const livesFor = ({ expires_at, created_at }: Record<string, string>) => Date.parse(expires_at ?? "") - Date.parse(created_at ?? "");
  expect(sent.map((one: Record<string, string>) => [one["body"], livesFor(one)])).toEqual([
    ["Hi", 60_000],
    ["Hello", 600_000],
  ]);
});

test("a permissive batch with defaults sends what can be sent, and can be read by keys that may read its channel", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const body = {
    defaults: { body: "Hello", tags: [{ name: "campaign", value: "spring" }] },
    messages: [{ to: sms.to }, { to: "nobody" }, { to: "+15005551000", body: "Hi" }],
  };
  const made = await api.post("/v1/sms/batch", body, { headers: { "x-batch-validation": "permissive" } });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    object: "batch",
    channel: "sms",
    total: 3,
    accepted: 2,
    data: [
      { index: 0, status: "queued" },
      { index: 2, status: "queued" },
    ],
    errors: [{ index: 1, code: "recipient_invalid" }],
  });
  const listed = (await api.get(`/v1/sms?batch_id=${made.body.id}`)).body.data;
  expect(listed.map(({ body: text, tags }: Record<string, unknown>) => [text, tags])).toEqual([
    ["Hi", [{ name: "campaign", value: "spring" }]],
    ["Hello", [{ name: "campaign", value: "spring" }]],
  ]);
  const [ofSms, ofEmails] = await Promise.all(
    (["sms:read", "emails:read"] as const).map(async (scope) => app.api((await app.key(shop, [scope])).key)),
  );
  expect((await ofSms?.get(`/v1/batches/${made.body.id}`))?.body).toMatchObject({ channel: "sms", statuses: { queued: 2 } });
  expect((await ofSms?.get("/v1/batches"))?.body.data).toHaveLength(1);
  expect((await ofEmails?.get(`/v1/batches/${made.body.id}`))?.body.error).toMatchObject({
    code: "permission_denied",
    required_scope: "sms:read",
  });
  expect((await ofEmails?.get("/v1/batches"))?.body.data).toEqual([]);
});
