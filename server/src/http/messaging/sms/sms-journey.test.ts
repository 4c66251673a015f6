import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { smsRoom } from "#test/support/messages/sms.ts";

const app = await testApp();
const room = smsRoom(app.ctx);
const sms = { to: "+14155552671", body: "Your order is on its way." };

test("a message is accepted, returned as it is sent, found again, delivered, and its events are reported", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
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
  expect(
    (await api.get("/v1/sms?tag=campaign:welcome&to=%2B15005551000&from=%2B15005550006&status=queued&direction=outbound")).body.data,
  ).toEqual([made.body]);
  expect((await api.get("/v1/sms?direction=inbound")).body.data).toEqual([]);
  await room.settle();
  app.clock.advance(1_500);
  await room.settle();
  const found = (await api.get(`/v1/sms/${made.body.id}`)).body;
  expect(found).toMatchObject({
    status: "delivered",
    provider: "simulator",
    segments_sent: 1,
    attempts: 1,
    provider_message_ids: [`${made.body.id}-0`],
  });
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
  ])("%s ends as %s", async (to, status, code, events) => {
    const shop = await app.tenant();
    const api = app.api(shop.key);
    const { body } = await api.post("/v1/sms", { to, body: "a".repeat(200) });
    for (let round = 0; round < 3; round += 1) {
      await room.settle();
      app.clock.advance(1_000);
    }
    const found = (await api.get(`/v1/sms/${body.id}`)).body;
    expect([found.status, found.error?.code ?? null, await room.eventsOf(shop, body.id)]).toEqual([status, code, events]);
  });
});

test("all faults of a request are reported together, including a recipient's opt-out", async () => {
  const api = app.api((await app.tenant()).key);
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

test("validity has the same name as for other messages", async () => {
  const api = app.api((await app.tenant()).key);
  const { created_at, expires_at } = (await api.post("/v1/sms", { ...sms, expires_in: 60 })).body;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000);
});

test("a repeated Idempotency-Key doesn't send again, and returns the message's current state", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const once = { headers: { "idempotency-key": "order-7" } };
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post("/v1/sms", sms, once)));
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  expect((await api.get("/v1/sms?include=total_count")).body.total_count).toBe(1);
  expect((await api.post("/v1/sms", { ...sms, body: "Other" }, once)).body.error.code).toBe("idempotency_key_reused");
});

test("a deleted text is gone from every response, and the message remains", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
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

test("an estimate shows a text's parts, and which characters make it longer", async () => {
  const api = app.api((await app.tenant()).key);
  const estimate = async (text: object) => {
    const { status, body } = await api.post("/v1/sms/estimate", text);
    expect(status).toBe(200);
    return body;
  };
  expect(await estimate({ body: "It\u2019s on its way" })).toEqual({
    ...{
      object: "sms_estimate",
      body: "It\u2019s on its way",
      encoding: "UCS-2",
      segments: 1,
      max_segments: 10,
      fits: true,
      characters: 15,
      units: 15,
    },
    ...{ units_per_segment: 70, characters_beyond_gsm7: ["\u2019"], parts: ["It\u2019s on its way"] },
  });
  expect(await estimate({ text: "It\u2019s on its way", smart_encoding: true })).toMatchObject({
    body: "It's on its way",
    encoding: "GSM-7",
    characters_beyond_gsm7: [],
  });
  expect(await estimate({ body: "中".repeat(700), max_segments: 3 })).toMatchObject({
    segments: 11,
    max_segments: 3,
    fits: false,
    units_per_segment: 67,
  });
});
