import { expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { smsRoom } from "#test/support/messages/sms.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const room = smsRoom(app.ctx);
const [ada, bob] = ["+14155552671", "+14155552672"] as const;
const own = "+15005550006";

const refusals = refusalsIn(app);
refusals("GET /v1/sms/threads", () => ({}), [
  { name: "a cursor that names nothing", query: "after=sms_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
]);

const writes = async (shop: TestTenant, { from, body, to = own }: { from: string; body: string; to?: string }) => {
  const { status, text } = await app.api(shop.key).post("/v1/test/inbound", { sms: { from, to, body } });
  expect(status, text).toBe(201);
  app.clock.advance(1_000);
};

test("conversations are listed once each, most recent writer first, with their newest message, without contacts who never wrote", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  await writes(shop, { from: ada, body: "Is my order ready?" });
  await writes(shop, { from: bob, body: "Hello" });
  await writes(shop, { from: ada, body: "Still there?" });
  await writes(shop, { from: ada, body: "Hi", to: "+15005550010" });
  await room.send(shop, { to: ada, body: "Yes, since noon." });
  await room.send(shop, { to: "+14155552673", body: "Your code is 4242." });
  const { body } = await api.get("/v1/sms/threads?include=total_count");
  const sides = (rows: { contact: string; number: string; last_message: { body: string; direction: string } }[]) =>
    rows.map(({ contact, number, last_message }) => [contact, number, last_message.direction, last_message.body]);
  expect(sides(body.data)).toEqual([
    [ada, "+15005550010", "inbound", "Hi"],
    [ada, own, "outbound", "Yes, since noon."],
    [bob, own, "inbound", "Hello"],
  ]);
  expect(body.total_count).toBe(3);
  const pages: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const reply = await api.get(`/v1/sms/threads?limit=1${cursor === "" ? "" : `&starting_after=${cursor}`}`);
    pages.push(...sides(reply.body.data));
    cursor = reply.body.next_cursor as string | null;
  }
  expect(pages).toEqual(sides(body.data));
  const found = async (query: string) =>
    sides((await api.get(`/v1/sms/threads?${query}`)).body.data).map(([contact, number]) => [contact, number]);
  expect(await found(`contact=${ada}&number=${own}`)).toEqual([[ada, own]]);
  expect(await found("q=+14155552672")).toEqual([[bob, own]]);
  expect(await found("q=%25")).toEqual([]);
  const stranger = await app.tenant();
  expect((await app.api(stranger.key).get("/v1/sms/threads")).body.data).toEqual([]);
  const ofBob = (await api.get("/v1/sms?q=%2B14155552672")).body.data as { body: string }[];
  expect(ofBob.map(({ body: text }) => text)).toEqual(["Hello"]);
  expect((await api.get("/v1/sms?q=%2B1415555267")).body.data).toHaveLength(6);
  expect((await api.get("/v1/sms?q=%2B1500")).body.data).toEqual([]);
  const between = await api.get(`/v1/sms?from=${ada}&from=${own}&to=${ada}&to=${own}`);
  expect(between.body.data.map(({ body: text }: { body: string }) => text)).toEqual([
    "Yes, since noon.",
    "Still there?",
    "Is my order ready?",
  ]);
});

test("a conversation shows since when its contact has opted out of this number, or is suppressed completely", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  await writes(shop, { from: ada, body: "Hello" });
  await writes(shop, { from: ada, body: "Hello", to: "+15005550010" });
  await writes(shop, { from: bob, body: "Hello" });
  const stopped = async () =>
    (await api.get("/v1/sms/threads")).body.data.map((one: { contact: string; number: string; opted_out_at: string | null }) => [
      one.contact,
      one.number,
      one.opted_out_at !== null,
    ]);
  await writes(shop, { from: ada, body: "STOP" });
  await api.post("/v1/suppressions", { channel: "sms", address: bob });
  expect(await stopped()).toEqual([
    [ada, own, true],
    [bob, own, true],
    [ada, "+15005550010", false],
  ]);
  await writes(shop, { from: ada, body: "START" });
  expect((await stopped())[0]).toEqual([ada, own, false]);
});

test("a message's parts show what each carries, which characters require the larger alphabet, and what was reported of each", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const body = `${"a".repeat(66)}中${"b".repeat(5)}`;
  const { id } = await room.send(shop, { to: "+15005551001", body });
  const read = async () => (await api.get(`/v1/sms/${id}/parts`)).body.data;
  const first = { object: "sms_part", part: 1, text: `${"a".repeat(66)}中`, units: 67, units_per_part: 67, characters_beyond_gsm7: ["中"] };
  const second = { part: 2, text: "bbbbb", units: 5, units_per_part: 67, characters_beyond_gsm7: [] };
  expect(await read()).toMatchObject([
    { ...first, status: null, sent_at: null },
    { ...second, status: null },
  ]);
  await room.settle();
  app.clock.advance(60_000);
  await room.settle();
  const reported = { status: "undelivered", code: "handset_unreachable", provider_code: "UNDELIV", provider: "simulator" };
  expect(await read()).toMatchObject([
    { ...first, ...reported, provider_message_id: `${id}-0` },
    { ...second, ...reported },
  ]);
  await api.delete(`/v1/sms/${id}/body`);
  expect(await read()).toMatchObject([
    { part: 1, text: null, units: null, characters_beyond_gsm7: [], status: "undelivered" },
    { part: 2, text: null, units: null },
  ]);
  const received = (await api.post("/v1/test/inbound", { sms: { from: ada, body: "Hello" } })).body.sms_id;
  expect((await api.get(`/v1/sms/${received}/parts`)).body.data).toEqual([]);
});
