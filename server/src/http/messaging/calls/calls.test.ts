import { expect, test } from "vitest";
import { callChannel, findCall } from "#calls/index.ts";
import { keepRecording } from "#calls/recording/keep-recording.ts";
import { changeMerchant, setMerchantSending } from "#identity/index.ts";
import { createSuppression } from "#messaging/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const approved = new Set(["+14155552670"]);
const app = await testApp({
  http: { perMinuteUnauthenticated: 1_000, tierLimits: ["free.calls=100000", "free.general=100000", "free.reads=100000"] },
  calls: { hasRoute: ({ country }) => country !== "CA", mayUse: async (_db, _tenant, { number }) => approved.has(number) },
});
const room = callRoom(app);
const refusals = refusalsIn(app);
const call = { from: "+15005550006", to: "+15005552000", text: "Hello." };
const liveCall = { from: "+14155552670", to: "+14155552671", text: "Hello." };
const good: Good = () => ({ body: call });

const inAmerica = async ({ merchant_id }: TestTenant) => {
  await changeMerchant(app.ctx, { merchant_id, if_version: null, country: "US" });
  return undefined;
};

async function placed(shop: TestTenant, change: object = {}): Promise<{ id: string; [field: string]: unknown }> {
  if (shop.livemode) await inAmerica(shop);
  const { status, body, text } = await app.api(shop.key).post("/v1/calls", { ...(shop.livemode ? liveCall : call), ...change });
  if (status !== 201) throw new Error(text);
  return body;
}
const existing: Good = async (shop) => ({ params: { id: (await placed(shop, { scheduled_at: "2026-11-21T08:00:00Z" })).id } });
const url = "https://shop.example.com/hooks/answer";
const live = { tenant: { livemode: true }, given: inAmerica };
const invalid = { status: 400, code: "parameter_invalid" };
const notAllowed = { status: 400, code: "url_not_allowed" };

refusals("POST /v1/calls", good, [
  { name: "nothing at all", body: {}, status: 400, code: "parameter_missing" },
  { name: "no number to call", body: { ...call, to: undefined }, status: 400, code: "parameter_missing", param: "to" },
  { name: "a number that is none", body: { ...call, to: "0151 23456" }, status: 400, code: "recipient_invalid", param: "to" },
  { name: "an emergency number", body: { ...call, to: "112" }, status: 400, code: "recipient_invalid", param: "to" },
  {
    name: "an emergency number behind a country's code",
    body: { ...call, to: "+1911" },
    status: 400,
    code: "recipient_invalid",
    param: "to",
  },
  { name: "a number that costs extra", body: { ...call, to: "+19005551234" }, status: 400, code: "recipient_invalid", param: "to" },
  { name: "a name as caller", body: { ...call, from: "ACME" }, ...invalid, param: "from" },
  { name: "nothing to say", body: { ...call, text: undefined }, status: 400, code: "parameter_missing", param: "text" },
  { name: "two things to do", body: { ...call, answer_url: url }, status: 400, code: "parameter_conflict", param: "answer_url" },
  { name: "too much to say", body: { ...call, text: "a".repeat(4_001) }, ...invalid, param: "text" },
  { name: "an unknown verb", body: { ...call, text: null, actions: [{ verb: "sing" }] }, ...invalid, param: "actions[0].verb" },
  {
    name: "a verb without its text",
    body: { ...call, text: null, actions: [{ verb: "say" }] },
    status: 400,
    code: "parameter_missing",
    param: "actions[0].text",
  },
  { name: "an address inside", body: { ...call, text: null, answer_url: "https://10.0.0.1/" }, ...notAllowed, param: "answer_url" },
  { name: "a sound inside", body: { ...call, text: null, audio_url: "http://localhost/a.wav" }, ...notAllowed, param: "audio_url" },
  {
    name: "an address inside a verb",
    body: { ...call, text: null, actions: [{ verb: "gather", action_url: "https://10.0.0.1/" }] },
    ...notAllowed,
    param: "actions[0].action_url",
  },
  { name: "a callback inside", body: { ...call, status_callback: "https://10.0.0.1/" }, ...notAllowed, param: "status_callback" },
  { name: "ringing for ever", body: { ...call, timeout: 121 }, ...invalid, param: "timeout" },
  { name: "a call of a day", body: { ...call, time_limit: 14_401 }, ...invalid, param: "time_limit" },
  { name: "a recording of hours", body: { ...call, record: true, time_limit: 3_601 }, ...invalid, param: "time_limit" },
  { name: "keys that no telephone has", body: { ...call, send_digits: "1x" }, ...invalid, param: "send_digits" },
  { name: "a time that is over", body: { ...call, scheduled_at: "2026-11-19T00:00:00Z" }, ...invalid, param: "scheduled_at" },
  { name: "a tag with a space", body: { ...call, tags: [{ name: "a b", value: "c" }] }, ...invalid, param: "tags[0].name" },
  {
    name: "card data as metadata",
    body: { ...call, metadata: { order: "7", pan: "x" } },
    status: 400,
    code: "card_number_refused",
    param: "metadata.pan",
  },
  { name: "a parameter of another's API", body: { ...call, url }, status: 400, code: "parameter_unknown", param: "url" },
  { name: "a country without a way out", ...live, body: { ...liveCall, to: "+16135550142" }, status: 409, code: "no_route", param: "to" },
  {
    name: "a country that is not the merchant's",
    ...live,
    body: { ...liveCall, to: "+447400123456" },
    status: 400,
    code: "country_not_allowed",
    param: "to",
  },
  {
    name: "a number of somebody else's",
    ...live,
    body: { ...liveCall, from: "+14155552699" },
    status: 400,
    code: "sender_not_allowed",
    param: "from",
  },
  {
    name: "a number that no plan knows, in LIVE",
    ...live,
    body: { ...liveCall, to: "+15551230000" },
    status: 400,
    code: "recipient_invalid",
    param: "to",
  },
  {
    name: "a number that is suppressed",
    given: async (shop) => {
      await createSuppression(app.ctx, shop, { channel: callChannel, address: "+15005559999", reason: "manual" });
      return undefined;
    },
    body: { ...call, to: "+15005559999" },
    status: 400,
    code: "recipient_opted_out",
    param: "to",
  },
  {
    name: "LIVE calls of a merchant whose sending is suspended",
    tenant: { livemode: true },
    given: async (shop) => {
      await inAmerica(shop);
      await setMerchantSending(app.ctx, { merchant_id: shop.merchant_id, reason: "Complaints" });
      return undefined;
    },
    body: liveCall,
    status: 403,
    code: "sending_suspended",
  },
]);
refusals("GET /v1/calls", () => ({}), [
  { name: "a cursor that names nothing", query: "after=call_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "an unknown state", query: "status=answered", ...invalid, param: "status" },
]);
refusals("GET /v1/calls/:id", existing);
refusals("GET /v1/calls/:id/events", existing, [
  { name: "a cursor that names nothing", query: "starting_after=evt_x", status: 400, code: "invalid_cursor" },
]);
refusals("POST /v1/calls/:id/hangup", existing, [
  {
    name: "a call that has ended",
    given: async (shop, { params }) => {
      await app.api(shop.key).post(`/v1/calls/${params?.id}/hangup`);
      return undefined;
    },
    status: 409,
    code: "call_state_conflict",
  },
]);
refusals(
  "DELETE /v1/calls/:id/body",
  async (shop) => {
    const { params } = await existing(shop);
    await app.api(shop.key).post(`/v1/calls/${params?.id}/hangup`);
    return { params: params ?? {} };
  },
  [{ name: "the text of a call that hasn't ended", given: existing, status: 409, code: "call_state_conflict" }],
);
const recorded: Good = async (shop) => {
  const { id } = await placed(shop, { scheduled_at: "2026-11-21T08:00:00Z" });
  const recordingId = await keepRecording(app.ctx, await findCall(app.ctx, shop, id), { source: "verb", samples: Buffer.alloc(8_000) });
  return { params: { id, recordingId: recordingId ?? "" } };
};
refusals("GET /v1/calls/:id/recordings", existing, [
  { name: "a cursor that names nothing", query: "starting_after=rec_x", status: 400, code: "invalid_cursor" },
]);
refusals("DELETE /v1/calls/:id/recordings/:recordingId", recorded, [
  {
    name: "a recording that is gone",
    given: async (shop, { params }) => {
      await app.api(shop.key).call("DELETE", `/v1/calls/${params?.id}/recordings/${params?.recordingId}`);
      return undefined;
    },
    status: 404,
    code: "resource_missing",
  },
]);

test("reports all faults together, those of the shape and those of the rules", async () => {
  const shop = await app.tenant();
  const { status, body } = await app
    .api(shop.key)
    .post("/v1/calls", { from: 5, to: "112", timeout: 1, actions: [{ verb: "say" }], send_digits: "x" });
  expect(status).toBe(400);
  expect(body.error.details.map(({ param }: { param: string }) => param).sort()).toEqual([
    "actions[0].text",
    "from",
    "send_digits",
    "timeout",
    "to",
  ]);
});

test("a call is returned as requested, found again, and repeated once", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const input = { ...call, metadata: { order: "7" }, tags: [{ name: "kind", value: "reminder" }], timeout: 20 };
  const key = { headers: { "idempotency-key": "first-call" } };
  const first = await api.call("POST", "/v1/calls", { body: input, ...key });
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    ...{
      object: "call",
      status: "queued",
      direction: "outbound",
      from: call.from,
      to: call.to,
      country: "US",
      text: "Hello.",
      timeout: 20,
      time_limit: 600,
    },
    ...{ duration: null, gathered: {}, digits: "", error: null, batch_id: null, metadata: { order: "7" }, livemode: false, version: 1 },
  });
  const again = await api.call("POST", "/v1/calls", { body: input, ...key });
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  expect((await api.call("POST", "/v1/calls", { body: { ...input, timeout: 21 }, ...key })).status).toBe(422);
  await room.settle();
  expect((await api.get(`/v1/calls/${first.body.id}`)).body).toMatchObject({
    status: "completed",
    answered_by: "unknown",
    provider: "simulator",
  });
  const numbers = ["to=%2B15005552000", "to=+15005552000", "from=%2B15005550006"];
  for (const query of ["", ...numbers, "tag=kind:reminder", "status=completed", "q=%2B150055520", `q=${first.body.id}`])
    expect(await listed(shop, query), query).toEqual([first.body.id]);
  for (const query of ["to=%2B15005552001", "tag=kind:other", "batch_id=bat_1", "status=busy", "q=%25", "created[gt]=2026-12-01T00:00:00Z"])
    expect(await listed(shop, query), query).toEqual([]);
  const events = await api.get(`/v1/calls/${first.body.id}/events?limit=2`);
  expect([events.body.has_more, events.body.data.map(({ event }: { event: string }) => event)]).toEqual([
    true,
    ["call.completed", "call.in_progress"],
  ]);
});

/** The ids of the calls that a query finds. */
async function listed(shop: TestTenant, query: string): Promise<string[]> {
  return (await app.api(shop.key).get(`/v1/calls?${query}`)).body.data.map(({ id }: { id: string }) => id);
}

test("a recording is played by its URL without any key, and refused without the signature", async () => {
  const shop = await app.tenant();
  const { params } = await recorded(shop);
  const [recording] = (await app.api(shop.key).get(`/v1/calls/${params?.id}/recordings`)).body.data;
  const path = recording.url.slice(app.ctx.publicUrl.length);
  const played = await app.api(null).get(path);
  expect([played.status, played.headers["content-type"]]).toEqual([200, "audio/wav"]);
  expect((await app.api(null).get(path.replace("signature=", "signature=A"))).status).toBe(403);
});

test("a project's daily calls are used up, and no one else's", async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  for (let made = 0; made < 50; made += 1) await placed(shop, { scheduled_at: "2026-11-21T08:00:00Z" });
  const refused = await app.api(shop.key).post("/v1/calls", call);
  expect([refused.status, refused.body.error.code]).toEqual([429, "quota_exceeded"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await placed(other);
});

test("a key without the permission can't place calls", async () => {
  const shop = await app.tenant();
  const reader = app.api((await app.key(shop, ["calls:read"])).key);
  expect((await reader.post("/v1/calls", call)).status).toBe(403);
  expect((await reader.get("/v1/calls")).status).toBe(200);
});
