import { describe, expect, test } from "vitest";
import { changeMerchant, setMerchantSending } from "#identity/index.ts";
import { house, type TestTenant } from "#test/house.ts";
import { type Good, refusalsIn } from "#test/refusals.ts";
import { openSms, scriptedCarrier, smsRoom } from "#test/sms.ts";

const home = await house({ http: { perMinuteUnauthenticated: 1_000 }, sms: openSms([scriptedCarrier({ countries: ["US"] })]) });
const refusals = refusalsIn(home);
const room = smsRoom(home.ctx);
const sms = { to: "+14155552671", body: "Your order is on its way." };
const good: Good = () => ({ body: sms });
const live = { livemode: true };

/** Lets a LIVE project send to the United States. */
async function atHome(shop: TestTenant): Promise<undefined> {
  if (shop.livemode) await changeMerchant(home.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  return undefined;
}

const existing: Good = async (shop) => {
  await atHome(shop);
  const { status, body, text } = await home.api(shop.key).post("/v1/sms", { ...sms, scheduled_at: "2026-11-21T08:00:00Z" });
  if (status !== 201) throw new Error(text);
  return { params: { id: body.id } };
};

refusals("POST /v1/sms", good, [
  {
    name: "LIVE messages of a merchant whose sending is suspended",
    tenant: live,
    given: async (shop) => {
      await atHome(shop);
      await setMerchantSending(home.ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
      return undefined;
    },
    status: 403,
    code: "sending_suspended",
  },
  { name: "nothing at all", body: {}, status: 400, code: "parameter_missing" },
  { name: "no text", body: { to: sms.to }, status: 400, code: "parameter_missing", param: "body" },
  { name: "an empty text", body: { ...sms, body: "" }, status: 400, code: "parameter_missing", param: "body" },
  { name: "a text under both its names", body: { ...sms, text: "Hi" }, status: 400, code: "parameter_conflict", param: "text" },
  { name: "a text of 1 601 characters", body: { ...sms, body: "a".repeat(1_601) }, status: 400, code: "parameter_invalid", param: "body" },
  { name: "a text of more than ten parts", body: { ...sms, body: "中".repeat(671) }, status: 400, code: "parameter_invalid", param: "body" },
  { name: "more parts than are allowed", body: { ...sms, body: "a".repeat(161), max_segments: 1 }, status: 400, code: "parameter_invalid", param: "body" },
  { name: "eleven parts", body: { ...sms, max_segments: 11 }, status: 400, code: "parameter_invalid", param: "max_segments" },
  { name: "a text with a NUL", body: { ...sms, body: "a\u0000b" }, status: 400, code: "parameter_invalid" },
  {
    name: "half a surrogate pair",
    payload: `{"to":"${sms.to}","body":"\\ud800"}`,
    headers: { "content-type": "application/json" },
    status: 400,
    code: "parameter_invalid",
  },
  { name: "no number", body: { ...sms, to: "Ada" }, status: 400, code: "recipient_invalid", param: "to" },
  { name: "a number without its country", body: { ...sms, to: "4155552671" }, status: 400, code: "recipient_invalid", param: "to" },
  {
    name: "a number that no plan assigns, in LIVE",
    tenant: live,
    given: atHome,
    body: { ...sms, to: "+15551230000" },
    status: 400,
    code: "recipient_invalid",
    param: "to",
  },
  { name: "an emergency number", body: { ...sms, to: "+1911" }, status: 400, code: "recipient_invalid", param: "to" },
  { name: "112", body: { ...sms, to: "112" }, status: 400, code: "recipient_invalid", param: "to" },
  { name: "a sender that is none", body: { ...sms, from: "ACME Books Limited" }, status: 400, code: "parameter_invalid", param: "from" },
  { name: "an emergency number as sender", body: { ...sms, from: "911" }, status: 400, code: "parameter_invalid", param: "from" },
  {
    name: "somebody else's name, in LIVE",
    tenant: live,
    given: atHome,
    body: { ...sms, from: "SOMEBODY" },
    status: 400,
    code: "sender_not_allowed",
    param: "from",
  },
  {
    name: "another country than the merchant's, in LIVE",
    tenant: live,
    given: atHome,
    body: { ...sms, to: "+4915123456789" },
    status: 400,
    code: "country_not_allowed",
    param: "to",
  },
  { name: "any country while the merchant has none, in LIVE", tenant: live, status: 400, code: "country_not_allowed", param: "to" },
  {
    name: "a country that no carrier takes, in LIVE",
    tenant: live,
    given: async ({ merchant_id }) => {
      await changeMerchant(home.ctx, { merchant_id, if_version: null, country: "DE" });
      return undefined;
    },
    body: { ...sms, to: "+4915123456789" },
    status: 409,
    code: "no_route",
    param: "to",
  },
  {
    name: "a recipient who sent STOP",
    given: async (shop) => {
      await home.api(shop.key).post("/v1/test/inbound", { sms: { from: sms.to, body: "STOP" } });
      return undefined;
    },
    status: 400,
    code: "recipient_opted_out",
    param: "to",
  },
  {
    name: "a recipient on the project's own list",
    given: async (shop) => {
      await home.api(shop.key).post("/v1/suppressions", { channel: "sms", address: sms.to });
      return undefined;
    },
    body: { ...sms, from: "ACME" },
    status: 400,
    code: "recipient_opted_out",
    param: "to",
  },
  { name: "a validity of a second", body: { ...sms, validity_period: 1 }, status: 400, code: "parameter_invalid", param: "validity_period" },
  { name: "a validity of eleven hours", body: { ...sms, validity_period: 39_600 }, status: 400, code: "parameter_invalid", param: "validity_period" },
  { name: "a validity of a second under its other name", body: { ...sms, expires_in: 1 }, status: 400, code: "parameter_invalid", param: "expires_in" },
  {
    name: "a validity under both its names",
    body: { ...sms, validity_period: 600, expires_in: 600 },
    status: 400,
    code: "parameter_conflict",
    param: "expires_in",
  },
  { name: "a time in the past", body: { ...sms, scheduled_at: "2026-11-01T08:00:00Z" }, status: 400, code: "parameter_invalid", param: "scheduled_at" },
  { name: "a time in 31 days", body: { ...sms, scheduled_at: "2026-12-22T08:00:00Z" }, status: 400, code: "parameter_invalid", param: "scheduled_at" },
  { name: "a tag with a space", body: { ...sms, tags: [{ name: "a b", value: "c" }] }, status: 400, code: "parameter_invalid", param: "tags[0].name" },
  {
    name: "metadata named after a card",
    body: { ...sms, metadata: { card_number: "1" } },
    status: 400,
    code: "card_number_refused",
    param: "metadata.card_number",
  },
  {
    name: "a callback inside our walls",
    body: { ...sms, status_callback: "https://localhost/" },
    status: 400,
    code: "url_not_allowed",
    param: "status_callback",
  },
]);
const magic = [
  { name: "an invalid number", body: { to: "+15005550001" }, status: 400, code: "recipient_invalid" },
  { name: "a number without a route", body: { to: "+15005550002" }, status: 409, code: "no_route" },
  { name: "a country that is not allowed", body: { to: "+15005550003" }, status: 400, code: "country_not_allowed" },
  { name: "somebody who opted out", body: { to: "+15005550004" }, status: 400, code: "recipient_opted_out" },
  { name: "a number that is no mobile's", body: { to: "+15005550009" }, status: 400, code: "recipient_invalid" },
  { name: "a sender of somebody else's", body: { from: "+15005550007" }, status: 400, code: "sender_not_allowed" },
  { name: "a sender whose queue is full", body: { from: "+15005550008" }, status: 429, code: "quota_exceeded" },
];
refusals(
  "POST /v1/sms",
  good,
  magic.map(({ name, body, ...refusal }) => ({ name: `the simulator's number of ${name}`, body: { ...sms, ...body }, ...refusal })),
);
refusals("POST /v1/sms/estimate", () => ({ body: { body: "Hi" } }), [
  { name: "no text", body: {}, status: 400, code: "parameter_missing", param: "body" },
  { name: "both names", body: { body: "a", text: "b" }, status: 400, code: "parameter_conflict", param: "text" },
  { name: "a text that is too long", body: { body: "a".repeat(1_601) }, status: 400, code: "parameter_invalid", param: "body" },
]);
refusals("GET /v1/sms", () => ({}), [
  { name: "a cursor that names nothing", query: "after=sms_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "an unknown state", query: "status=bounced", status: 400, code: "parameter_invalid", param: "status" },
  { name: "an unknown direction", query: "direction=sideways", status: 400, code: "parameter_invalid", param: "direction" },
  { name: "a tag without a value", query: "tag=campaign", status: 400, code: "parameter_invalid", param: "tag" },
]);
refusals("GET /v1/sms/:id", existing);
refusals("GET /v1/sms/:id/events", existing, [{ name: "a cursor that names nothing", query: "starting_after=evt_x", status: 400, code: "invalid_cursor" }]);
refusals("GET /v1/sms/:id/attempts", existing, [{ name: "a cursor that names nothing", query: "starting_after=sms_x.1", status: 400, code: "invalid_cursor" }]);
refusals("GET /v1/sms/:id/parts", existing, [{ name: "a cursor that names nothing", query: "starting_after=sms_x.1", status: 400, code: "invalid_cursor" }]);
refusals("POST /v1/sms/:id/cancel", existing, [
  {
    name: "a message that is canceled already",
    given: async (shop, { params }) => {
      await home.api(shop.key).post(`/v1/sms/${params?.["id"]}/cancel`);
      return undefined;
    },
    status: 409,
    code: "sms_state_conflict",
  },
]);
refusals(
  "DELETE /v1/sms/:id/body",
  async (shop) => {
    const { params } = await existing(shop);
    await home.api(shop.key).post(`/v1/sms/${params?.["id"]}/cancel`);
    return { params: params ?? {} };
  },
  [{ name: "the text of a message that is still to be sent", given: existing, status: 409, code: "sms_state_conflict" }],
);

test("a message is accepted, answered as it is sent, found again, delivered, and its events are told", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const labels = { tags: [{ name: "campaign", value: "welcome" }], metadata: { order: "7" } };
  const made = await api.post("/v1/sms", { to: "+15005551000", text: "Hi €", validity_period: 600, ...labels });
  expect(made.status, made.text).toBe(201);
  const shown = { from: "+15005550006", to: "+15005551000", body: "Hi €", country: "US", encoding: "GSM-7", segments: 1, segments_sent: 0 };
  expect(made.body).toMatchObject({
    object: "sms",
    direction: "outbound",
    status: "queued",
    livemode: false,
    error: null,
    provider_message_ids: [],
    ...shown,
    ...labels,
  });
  expect(made.body.expires_at).toMatch(/^2026-11-20T08:10:00\.\d{3}Z$/);
  expect((await api.get(`/v1/sms/${made.body.id}`)).body).toEqual(made.body);
  expect((await api.get("/v1/sms?tag=campaign:welcome&to=%2B15005551000&from=%2B15005550006&status=queued&direction=outbound")).body.data).toEqual([made.body]);
  expect((await api.get("/v1/sms?direction=inbound")).body.data).toEqual([]);
  await room.settle();
  home.clock.advance(1_500);
  await room.settle();
  const found = (await api.get(`/v1/sms/${made.body.id}`)).body;
  expect(found).toMatchObject({ status: "delivered", provider: "simulator", segments_sent: 1, attempts: 1, provider_message_ids: [`${made.body.id}-0`] });
  const events = (await api.get(`/v1/sms/${made.body.id}/events`)).body.data;
  expect(events.map(({ event }: { event: string }) => event)).toEqual(["sms.delivered", "sms.sent", "sms.queued"]);
  expect(JSON.stringify(events)).not.toContain("Hi €");
  expect((await api.get(`/v1/sms/${made.body.id}/attempts`)).body.data).toMatchObject([
    { attempt: 1, result: "accepted", provider: "simulator", segments_sent: 1 },
  ]);
});

describe("the simulator's numbers", () => {
  test.each([
    ["+15005551000", "delivered", null, ["queued", "sent", "delivered"]],
    ["+15005551001", "undelivered", "handset_unreachable", ["queued", "sent", "undelivered"]],
    ["+15005551002", "failed", "carrier_rejected", ["queued", "failed"]],
    ["+15005551003", "undelivered", "expired", ["queued", "sent", "undelivered"]],
    ["+15005551004", "sent", null, ["queued", "sent"]],
    ["+15005551005", "delivered", null, ["queued", "sent", "delivered"]],
    ["+447400123456", "delivered", null, ["queued", "sent", "delivered"]],
  ])("%s ends as %s", async (to, status, code, told) => {
    const shop = await home.tenant();
    const api = home.api(shop.key);
    const { body } = await api.post("/v1/sms", { to, body: "a".repeat(200) });
    for (let round = 0; round < 3; round += 1) {
      await room.settle();
      home.clock.advance(1_000);
    }
    const found = (await api.get(`/v1/sms/${body.id}`)).body;
    expect([found.status, found.error?.code ?? null, await room.told(shop, body.id)]).toEqual([status, code, told]);
  });
});

test("all faults of a request come at once, that the recipient opted out too", async () => {
  const api = home.api((await home.tenant()).key);
  await api.post("/v1/test/inbound", { sms: { from: sms.to, body: "STOP" } });
  const body = { to: sms.to, body: "a\u200b".repeat(700), scheduled_at: "2026-11-01T08:00:00Z", tags: [{ name: "a b", value: "c" }] };
  const { error } = (await api.post("/v1/sms", body)).body;
  expect(error.details.map(({ param, code }: Record<string, unknown>) => [param, code])).toEqual([
    ["body", "parameter_invalid"],
    ["tags[0].name", "parameter_invalid"],
    ["scheduled_at", "parameter_invalid"],
    ["to", "recipient_opted_out"],
  ]);
});

test("validity has the name that it has for other messages too", async () => {
  const api = home.api((await home.tenant()).key);
  const { created_at, expires_at } = (await api.post("/v1/sms", { ...sms, expires_in: 60 })).body;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);
});

test("what an Idempotency-Key sent once is not sent again, and is answered as its message stands", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const once = { headers: { "idempotency-key": "order-7" } };
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post("/v1/sms", sms, once)));
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  expect((await api.get("/v1/sms?include=total_count")).body.total_count).toBe(1);
  expect((await api.post("/v1/sms", { ...sms, body: "Other" }, once)).body.error.code).toBe("idempotency_key_reused");
});

test("a deleted text is gone from every answer, and the message stays", async () => {
  const shop = await home.tenant();
  const api = home.api(shop.key);
  const once = { headers: { "idempotency-key": "secret-1" } };
  const { body } = await api.post("/v1/sms", { to: "+15005551004", body: "Your code is 4711" }, once);
  await room.settle();
  const deleted = await api.delete(`/v1/sms/${body.id}/body`);
  expect([deleted.status, deleted.body]).toEqual([200, { id: body.id, object: "sms_body", deleted: true }]);
  expect((await api.delete(`/v1/sms/${body.id}/body`)).status).toBe(200);
  const answers = [
    await api.get(`/v1/sms/${body.id}`),
    await api.get("/v1/sms"),
    await api.get(`/v1/sms/${body.id}/events`),
    await api.post("/v1/sms", { to: "+15005551004", body: "Your code is 4711" }, once),
  ];
  for (const { status, text } of answers) {
    expect(status).toBeLessThan(300);
    expect(text).not.toContain("4711");
  }
  expect(answers[0]?.body).toMatchObject({ status: "sent", body: null });
});

test("an estimate says what a text takes, and which characters cost it more", async () => {
  const api = home.api((await home.tenant()).key);
  const estimate = async (body: object) => (await api.post("/v1/sms/estimate", body)).body;
  expect(await estimate({ body: "It\u2019s on its way" })).toEqual({
    ...{ object: "sms_estimate", body: "It\u2019s on its way", encoding: "UCS-2", segments: 1, max_segments: 10, fits: true, characters: 15, units: 15 },
    ...{ units_per_segment: 70, characters_beyond_gsm7: ["\u2019"], parts: ["It\u2019s on its way"] },
  });
  expect(await estimate({ text: "It\u2019s on its way", smart_encoding: true })).toMatchObject({
    body: "It's on its way",
    encoding: "GSM-7",
    characters_beyond_gsm7: [],
  });
  expect(await estimate({ body: "中".repeat(700), max_segments: 3 })).toMatchObject({ segments: 11, max_segments: 3, fits: false, units_per_segment: 67 });
});
