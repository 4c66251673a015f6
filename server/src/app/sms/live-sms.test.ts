import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { createTransportBoard, listTransports, reportTransportsTask } from "#messaging/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { type Ctx, createEgress } from "#platform/index.ts";
import { createSmsIntake, type SmsTransport, smsTasks } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { type Script, type SentCallback, startTwilio, takes } from "#test/support/twilio/twilio-peer.ts";
import { listCarrierWebhooks } from "../carriers/list-webhooks.ts";
import { readSettings } from "../config.ts";
import { listSmsRoutes, openSms } from "./open-sms.ts";

const number = "+14155552670";
const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const peer = await startTwilio();
const settings = readSettings({ PUBLIC_URL: publicUrl, SMS_HTTP_URL: peer.setting("name=main&countries=1") });
const app = await testApp({
  publicUrl,
  egress: createEgress({ allow: [], publicUrl }),
  sms: { routes: listSmsRoutes(settings) },
  carriers: listCarrierWebhooks(settings),
  http: { tierLimits: ["free.sms=100000", "free.general=100000", "free.reads=100000"] },
});
const { ctx, clock } = app;
const inboundUrl = `${publicUrl}/api/carriers/sms/main/inbound`;
let shop: TestTenant;
const board = createTransportBoard(ctx.now);
let transports: SmsTransport[];
let recipients = 0;

beforeAll(async () => {
  await (await app.server()).listen({ port, host: "127.0.0.1" });
  shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  await assignNumber(ctx, { project_id: shop.project_id, value: number, channels: ["sms"] });
  transports = await openSms({ ctx, settings, intake: createSmsIntake(ctx), board });
});
beforeEach(() => {
  peer.script = takes;
  peer.received.length = 0;
  peer.sids.length = 0;
});
afterAll(() => peer.stop());

const someone = () => `+1415555${3000 + (recipients += 1)}`;
const api = () => app.api(shop.key);

async function post(given: object = {}): Promise<string> {
  const made = await api().post("/v1/sms", { from: number, to: someone(), body: "Your code is on its way.", ...given });
  expect([made.status, made.body.status]).toEqual([201, "queued"]);
  return made.body.id;
}

/** Runs the background work of SMS until it has nothing more to do. */
async function work(): Promise<void> {
  const names = ["release_sms", "send_sms", "revive_sms", "match_early_sms_receipts", "settle_sms", "expire_sms"];
  const tasks = smsTasks(transports);
  for (const name of names) await tasks.find((task) => task.name === name)?.run(ctx);
  for (const task of tasks) await task.finish?.(ctx);
}

/** As a carrier does: over the network, with its own headers. */
async function send({ url, headers, body }: SentCallback): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

const empty = { status: 200, text: '<?xml version="1.0" encoding="UTF-8"?><Response/>' };
const find = async (id: string) => (await api().get(`/v1/sms/${id}`)).body;
const events = async (id: string) =>
  (await api().get(`/v1/sms/${id}/events`)).body.data.map(({ event }: { event: string }) => event.replace("sms.", "")).reverse();
const sidOf = (id: string) => peer.sids[peer.received.findIndex(({ form }) => form.get("StatusCallback")?.endsWith(`message=${id}`))] ?? "";

test("a LIVE message is handed to the carrier, and its reports end it once, in any order and however often they arrive", async () => {
  const id = await post({ body: "Grüße 😀 & more" });
  await work();
  expect(peer.received.map(({ form }) => [form.get("From"), form.get("Body")])).toEqual([[number, "Grüße 😀 & more"]]);
  expect(await find(id)).toMatchObject({ status: "sent", provider: "http:main", provider_message_ids: [sidOf(id)], error: null });
  expect(board.take()).toMatchObject([
    { channel: "sms", name: "http:main", kind: "http", state: "up", handed: 1, failed: 0, in_flight: 0 },
  ]);
  for (const status of ["sending", "delivered", "queued", "sent", "delivered", "undelivered"])
    expect(await send(peer.status(sidOf(id), status))).toEqual(empty);
  expect(await find(id)).toMatchObject({ status: "delivered", error: null });
  expect(await events(id)).toEqual(["queued", "sent", "delivered"]);
  await work();
  expect(peer.received).toHaveLength(1);
});

test.each([
  ["undelivered", "30003", "handset_unreachable"],
  ["undelivered", "30005", "unknown_subscriber"],
  ["undelivered", "30006", "invalid_number"],
  ["undelivered", "30007", "carrier_rejected"],
  ["failed", "30008", "provider_error"],
  ["failed", "21610", "opted_out"],
  ["failed", "30036", "expired"],
  ["undelivered", "39999", "handset_unreachable"],
  ["undelivered", "", "handset_unreachable"],
  ["failed", "", "carrier_rejected"],
  ["canceled", "", "handset_unreachable"],
])("a report of %s with the code %s", async (status, code, word) => {
  const id = await post();
  await work();
  await send(peer.status(sidOf(id), status, code === "" ? {} : { ErrorCode: code }));
  expect(await find(id)).toMatchObject({ status: "undelivered", error: { code: word, provider_code: code === "" ? null : code } });
  expect(await events(id)).toEqual(["queued", "sent", "undelivered"]);
});

test("a report that arrives before the response to the submission is stored, and counts", async () => {
  peer.script = async (_request, say) => {
    const sid = say.keep();
    expect(await send(peer.status(sid, "delivered"))).toEqual(empty);
    say.answer(201, { sid, status: "queued" });
  };
  const id = await post();
  await work();
  expect(await find(id)).toMatchObject({ status: "delivered", provider_message_ids: [sidOf(id)] });
  expect(await events(id)).toEqual(["queued", "sent", "delivered"]);
});

describe("a message whose response was lost", () => {
  const lose: Script = (_request, say) => {
    say.keep();
    say.hangUp();
  };
  const lost = async (script: Script = lose) => {
    peer.script = script;
    const id = await post();
    await work();
    peer.script = takes;
    return id;
  };

  test("is never sent again, and ends when it expires if no report arrives", async () => {
    const id = await lost();
    expect(await find(id)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" }, provider_message_ids: [] });
    clock.advance(120_000);
    await work();
    expect((await find(id)).status).toBe("sent");
    clock.advance(36_000_000);
    await work();
    expect(await find(id)).toMatchObject({ status: "undelivered", error: { code: "outcome_unknown" } });
    expect(peer.received).toHaveLength(1);
    expect(await events(id)).toEqual(["queued", "sent", "undelivered"]);
  });

  test("is no longer in doubt once a report identifies it, and ends as reported", async () => {
    const id = await lost();
    await send(peer.status(sidOf(id), "sent"));
    expect(await find(id)).toMatchObject({ status: "sent", error: null, provider: "http:main", provider_message_ids: [sidOf(id)] });
    await send(peer.status(sidOf(id), "delivered"));
    expect(await find(id)).toMatchObject({ status: "delivered", error: null });
    expect(await events(id)).toEqual(["queued", "sent", "delivered"]);
  });

  test("ends as reported even if the report arrived before the loss of the response was known", async () => {
    const id = await lost(async (_request, say) => {
      await send(peer.status(say.keep(), "undelivered", { ErrorCode: "30003" }));
      say.hangUp();
    });
    expect(await find(id)).toMatchObject({ status: "undelivered", error: { code: "handset_unreachable", provider_code: "30003" } });
  });

  test("because its worker died before storing the response is identified by its report, and isn't sent again", async () => {
    let isDead = false;
    peer.script = async (_request, say) => {
      isDead = true;
      const sid = say.keep();
      await send(peer.status(sid, "delivered"));
      say.answer(201, { sid, status: "queued" });
    };
    const id = await post();
    const dying: Ctx = { ...ctx, transact: (work) => (isDead ? new Promise(() => undefined) : ctx.transact(work)) };
    const sending = smsTasks(transports).find(({ name }) => name === "send_sms");
    void sending?.run(dying);
    await eventually("the carrier has it and the worker is gone", () => isDead && peer.sids.length === 1);
    peer.script = takes;
    clock.advance(46_000);
    await work();
    await work();
    expect(await find(id)).toMatchObject({ status: "delivered", error: null });
    expect(await events(id)).toEqual(["queued", "sent", "delivered"]);
    expect(peer.received).toHaveLength(1);
  });
});

describe("a carrier's response", () => {
  test("that is final ends the message, and one that is temporary lets it be tried again", async () => {
    peer.script = (_request, say) => say.error(400, 21614);
    const id = await post();
    await work();
    expect(await find(id)).toMatchObject({ status: "failed", error: { code: "invalid_number", provider_code: "21614" } });
    peer.script = (_request, say) => say.error(429, 20429, { "retry-after": "2" });
    const later = await post();
    await work();
    expect(await find(later)).toMatchObject({ status: "queued", error: { code: "throttled", provider_code: "20429" } });
    peer.script = takes;
    clock.advance(2_000);
    await work();
    expect(await find(later)).toMatchObject({ status: "sent", error: null });
    expect(await events(later)).toEqual(["queued", "sent"]);
  });

  test("counts whatever its text contains, and operators see it", async () => {
    const [message, stored] = ["\u0000", "\ufffd"].map((odd, place) => `${odd}${"x".repeat(298)}${place === 0 ? "😀" : odd}`);
    peer.script = (_request, say) => say.answer(400, { status: 400, code: 21614, message });
    const refused = await post();
    await work();
    expect(await find(refused)).toMatchObject({ status: "failed", error: { code: "invalid_number", message: stored } });
    peer.script = (_request, say) => say.answer(429, { status: 429, code: 20429, message }, { "retry-after": "2" });
    const later = await post();
    await work();
    expect(await find(later)).toMatchObject({ status: "queued", error: { code: "throttled", message: stored } });
    await reportTransportsTask(board).run(ctx);
    const shown = (await listTransports(ctx)).channels.flatMap((channel) => channel.transports);
    expect(shown).toMatchObject([{ name: "http:main", error: { message: stored } }]);
    peer.script = takes;
    clock.advance(2_000);
    await work();
    expect(await find(later)).toMatchObject({ status: "sent", error: null });
  });
});

describe("an inbound message", () => {
  test("is stored before the carrier gets a response, once however often it arrives, with all its content", async () => {
    const from = someone();
    const body = `Yes 好 ${"x".repeat(100)}`;
    const come = peer.inbound(inboundUrl, { From: from, To: number, Body: body, NumSegments: "2" });
    expect(await send(come)).toEqual(empty);
    await Promise.all(Array.from({ length: 5 }, () => send(come)));
    clock.advance(3_600_000);
    await send(come);
    const { data } = (await api().get(`/v1/sms?from=${encodeURIComponent(from)}`)).body;
    expect(data).toMatchObject([
      { direction: "inbound", status: "received", from, to: number, encoding: "UCS-2", segments: 2, provider: "http:main" },
    ]);
    expect(await find(data[0].id)).toMatchObject({ body });
    expect(await events(data[0].id)).toEqual(["received"]);
  });

  test("with STOP ends messages to its sender, who gets a reply through the queue", async () => {
    const from = someone();
    expect(await send(peer.inbound(inboundUrl, { From: from, To: number, Body: "STOP" }))).toEqual(empty);
    await work();
    expect(peer.received.map(({ form }) => [form.get("From"), form.get("To")])).toEqual([[number, from]]);
    const refused = await api().post("/v1/sms", { from: number, to: from, body: "Hello" });
    expect([refused.status, refused.body.error.code]).toEqual([400, "recipient_opted_out"]);
  });

  test.each([
    ["to nobody's number", { To: "+14155559999" }, 200],
    ["from WhatsApp", { From: "whatsapp:+14155552671" }, 404],
    ["without a sender", { From: "" }, 400],
    ["of another account", { AccountSid: "AC9" }, 404],
  ])("%s leaves nothing behind", async (_what, more, status) => {
    const before = (await api().get("/v1/sms?direction=inbound&limit=100")).body.data.length;
    expect((await send(peer.inbound(inboundUrl, { From: someone(), To: number, Body: "Hi", ...more }))).status).toBe(status);
    expect((await api().get("/v1/sms?direction=inbound&limit=100")).body.data).toHaveLength(before);
  });
});

test("a report that can't be stored is refused, so that the carrier sends it again", async () => {
  const id = await post();
  await work();
  const callback = peer.status(sidOf(id), "delivered");
  const webhook = listCarrierWebhooks(settings)[0];
  const away: Ctx = { ...ctx, transact: () => Promise.reject(new Error("the database is away")) };
  const { pathname, search } = new URL(callback.url);
  await expect(
    webhook?.take(away, "main", {
      method: "POST",
      url: `${pathname}${search}`,
      path: "status",
      headers: callback.headers,
      body: Buffer.from(callback.body),
    }),
  ).rejects.toThrow();
  expect((await find(id)).status).toBe("sent");
  expect(await send(callback)).toEqual(empty);
  expect((await find(id)).status).toBe("delivered");
});
