import { changeMerchant, setMerchantSending } from "#identity/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({
  http: { perMinuteUnauthenticated: 1_000, tierLimits: ["free.sms=100000"] },
  sms: openSms([scriptedCarrier({ countries: ["US"] })]),
});
const refusals = refusalsIn(app);
const sms = { to: "+14155552671", body: "Your order is on its way." };
const good: Good = () => ({ body: sms });
const live = { livemode: true };

/** Lets a LIVE project send to the United States. */
async function inOwnCountry(shop: TestTenant): Promise<undefined> {
  if (shop.livemode) await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  return undefined;
}

const existing: Good = async (shop) => {
  await inOwnCountry(shop);
  const { status, body, text } = await app.api(shop.key).post("/v1/sms", { ...sms, scheduled_at: "2026-11-21T08:00:00Z" });
  if (status !== 201) throw new Error(text);
  return { params: { id: body.id } };
};

refusals("POST /v1/sms", good, [
  {
    name: "LIVE messages of a merchant whose sending is suspended",
    tenant: live,
    given: async (shop) => {
      await inOwnCountry(shop);
      await setMerchantSending(app.ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
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
  {
    name: "a text of more than ten parts",
    body: { ...sms, body: "中".repeat(671) },
    status: 400,
    code: "parameter_invalid",
    param: "body",
  },
  {
    name: "more parts than are allowed",
    body: { ...sms, body: "a".repeat(161), max_segments: 1 },
    status: 400,
    code: "parameter_invalid",
    param: "body",
  },
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
    given: inOwnCountry,
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
    given: inOwnCountry,
    body: { ...sms, from: "SOMEBODY" },
    status: 400,
    code: "sender_not_allowed",
    param: "from",
  },
  {
    name: "another country than the merchant's, in LIVE",
    tenant: live,
    given: inOwnCountry,
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
      await changeMerchant(app.ctx, { merchant_id, if_version: null, country: "DE" });
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
      await app.api(shop.key).post("/v1/test/inbound", { sms: { from: sms.to, body: "STOP" } });
      return undefined;
    },
    status: 400,
    code: "recipient_opted_out",
    param: "to",
  },
  {
    name: "a recipient on the project's own list",
    given: async (shop) => {
      await app.api(shop.key).post("/v1/suppressions", { channel: "sms", address: sms.to });
      return undefined;
    },
    body: { ...sms, from: "ACME" },
    status: 400,
    code: "recipient_opted_out",
    param: "to",
  },
  {
    name: "a validity of a second",
    body: { ...sms, validity_period: 1 },
    status: 400,
    code: "parameter_invalid",
    param: "validity_period",
  },
  {
    name: "a validity of eleven hours",
    body: { ...sms, validity_period: 39_600 },
    status: 400,
    code: "parameter_invalid",
    param: "validity_period",
  },
  {
    name: "a validity of a second under its other name",
    body: { ...sms, expires_in: 1 },
    status: 400,
    code: "parameter_invalid",
    param: "expires_in",
  },
  {
    name: "a validity under both its names",
    body: { ...sms, validity_period: 600, expires_in: 600 },
    status: 400,
    code: "parameter_conflict",
    param: "expires_in",
  },
  {
    name: "a time in the past",
    body: { ...sms, scheduled_at: "2026-11-01T08:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "scheduled_at",
  },
  {
    name: "a time in 31 days",
    body: { ...sms, scheduled_at: "2026-12-22T08:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "scheduled_at",
  },
  {
    name: "a tag with a space",
    body: { ...sms, tags: [{ name: "a b", value: "c" }] },
    status: 400,
    code: "parameter_invalid",
    param: "tags[0].name",
  },
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
refusals("GET /v1/sms/:id/events", existing, [
  { name: "a cursor that names nothing", query: "starting_after=evt_x", status: 400, code: "invalid_cursor" },
]);
refusals("GET /v1/sms/:id/attempts", existing, [
  { name: "a cursor that names nothing", query: "starting_after=sms_x.1", status: 400, code: "invalid_cursor" },
]);
refusals("GET /v1/sms/:id/parts", existing, [
  { name: "a cursor that names nothing", query: "starting_after=sms_x.1", status: 400, code: "invalid_cursor" },
]);
refusals("POST /v1/sms/:id/cancel", existing, [
  {
    name: "a message that is canceled already",
    given: async (shop, { params }) => {
      await app.api(shop.key).post(`/v1/sms/${params?.["id"]}/cancel`);
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
    await app.api(shop.key).post(`/v1/sms/${params?.["id"]}/cancel`);
    return { params: params ?? {} };
  },
  [{ name: "the text of a message that is still to be sent", given: existing, status: 409, code: "sms_state_conflict" }],
);
