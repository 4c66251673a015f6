import { expect, test } from "vitest";
import { releaseCalls } from "#calls/change/maintain-calls.ts";
import { changeMerchant } from "#identity/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { type Good, type Refusal, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({
  http: { perMinuteUnauthenticated: 1_000 },
  sms: openSms([scriptedCarrier()]),
  calls: { hasRoute: () => true, mayUse: async () => true },
});
const refusals = refusalsIn(app);
const [texts, calls] = [smsRoom(app.ctx), callRoom(app)];
const tomorrow = "2026-11-21T08:00:00Z";
const later = "2026-11-22T09:00:00+01:00";

/** One row a channel: its routes, what it takes, its words for a conflict and its work. */
const channels = [
  {
    route: "/v1/sms",
    name: "sms",
    body: { to: "+15005551000", body: "Hi", validity_period: 600 },
    livesMs: 600_000,
    conflict: "sms_state_conflict",
    end: "cancel",
    settle: () => texts.settle(),
    done: "delivered",
  },
  {
    route: "/v1/calls",
    name: "call",
    body: { from: "+15005550006", to: "+15005552000", text: "Hello." },
    livesMs: null,
    conflict: "call_state_conflict",
    end: "hangup",
    settle: async () => {
      await releaseCalls(app.ctx);
      await calls.settle();
    },
    done: "completed",
  },
] as const;

type Channel = (typeof channels)[number];

const american = { to: "+14155552671", from: "+14155552670" };

async function made(shop: TestTenant, channel: Channel, more: object = {}) {
  const { status, body, text } = await app
    .api(shop.key)
    .post(channel.route, { ...channel.body, ...(shop.livemode ? american : {}), ...more });
  if (status !== 201) throw new Error(text);
  return body;
}

const waiting =
  (channel: Channel): Good =>
  async (shop) => {
    if (shop.livemode) await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
    return { params: { id: (await made(shop, channel, { scheduled_at: tomorrow })).id }, body: { scheduled_at: later } };
  };

const rowsOf = (channel: Channel): Refusal[] => {
  const { route, end, conflict } = channel;
  return [
    { name: "no time", body: {}, status: 400, code: "parameter_missing", param: "scheduled_at" },
    { name: "what is no time", body: { scheduled_at: "soon" }, status: 400, code: "parameter_invalid", param: "scheduled_at" },
    {
      name: "a day that no calendar has",
      body: { scheduled_at: "2026-11-31T08:00:00Z" },
      status: 400,
      code: "parameter_invalid",
      param: "scheduled_at",
    },
    {
      name: "a time in the past",
      body: { scheduled_at: "2026-11-01T08:00:00Z" },
      status: 400,
      code: "parameter_invalid",
      param: "scheduled_at",
    },
    {
      name: "a time in 31 days",
      body: { scheduled_at: "2026-12-22T08:00:00Z" },
      status: 400,
      code: "parameter_invalid",
      param: "scheduled_at",
    },
    { name: "an old version", headers: { "if-match": "99" }, status: 409, code: "version_conflict" },
    { name: "a version that is none", headers: { "if-match": "latest" }, status: 400, code: "parameter_invalid", param: "If-Match" },
    {
      name: "what was canceled",
      given: async (shop, { params }) => {
        await app.api(shop.key).post(`${route}/${params?.["id"]}/${end}`);
        return undefined;
      },
      status: 409,
      code: conflict,
    },
    {
      name: "what has ended",
      given: async (shop) => {
        const { id } = await made(shop, channel);
        await channel.settle();
        return { params: { id } };
      },
      status: 409,
      code: conflict,
    },
  ];
};

const [sms, call] = channels;
refusals("PATCH /v1/sms/:id", waiting(sms), rowsOf(sms));
refusals("PATCH /v1/calls/:id", waiting(call), rowsOf(call));

test.each(channels)("$name: what waits is moved by version, and is only sent at its new time", async (channel) => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const start = app.clock.now().getTime();
  const [soon, late] = [24, 48].map((hours) => new Date(start + hours * 3_600_000)) as [Date, Date];
  const { id, created_at, expires_at } = await made(shop, channel);
  const livesMs = Date.parse(expires_at) - Date.parse(created_at);
  if (channel.livesMs !== null) expect(livesMs).toBe(channel.livesMs);
  const path = `${channel.route}/${id}`;
  const move = (scheduled_at: Date, headers: Record<string, string>) =>
    api.call("PATCH", path, { body: { scheduled_at: scheduled_at.toISOString() }, headers });
  const first = await move(soon, { "if-match": "1" });
  expect(first.status, first.text).toBe(200);
  expect(first.body).toMatchObject({ id, status: "scheduled", scheduled_at: soon.toISOString(), version: 2 });
  expect(Date.parse(first.body.expires_at) - soon.getTime()).toBe(livesMs);
  const second = await move(late, { "if-match": '"2"' });
  expect(second.body).toMatchObject({ status: "scheduled", scheduled_at: late.toISOString(), version: 3 });
  expect((await move(late, { "if-match": "2" })).body.error).toMatchObject({ code: "version_conflict", version: 3 });
  app.clock.set(soon);
  app.clock.advance(60_000);
  await channel.settle();
  expect((await api.get(path)).body.status).toBe("scheduled");
  app.clock.set(late);
  for (let round = 0; round < 3; round += 1) {
    await channel.settle();
    app.clock.advance(1_000);
  }
  const found = (await api.get(path)).body;
  expect(found.status).toBe(channel.done);
  const events = (await api.get(`${path}/events`)).body.data.reverse();
  expect(events.slice(0, 3).map(({ event }: { event: string }) => event)).toEqual(
    ["queued", "scheduled", "queued"].map((name) => `${channel.name}.${name}`),
  );
  expect(events[1].data).toMatchObject({ previous_status: "queued", sequence: 2 });
});
