import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { listCarrierWebhooks } from "#app/carriers/list-webhooks.ts";
import { readSettings } from "#app/config.ts";
import { listSmsRoutes, openSms as openTransports } from "#app/sms/open-sms.ts";
import { createEgress } from "#platform/index.ts";
import { createSmsIntake, findSms, listSms, smsTasks } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { forgeriesOf, inHeader, type Posted } from "#test/support/gateways/contract/forgeries.ts";
import { liveShop, openSms } from "#test/support/messages/sms.ts";
import { type SentCallback, startTwilio } from "#test/support/twilio/twilio-peer.ts";

const publicUrl = "https://pay.example.com";
const peer = await startTwilio();
const other = await startTwilio({ accountSid: "AC2", authToken: "an0ther" });
const settings = readSettings({
  PUBLIC_URL: publicUrl,
  SMS_HTTP_URL: `${peer.setting("name=main")},${other.setting("name=other&countries=49")}`,
});
const carriers = listCarrierWebhooks(settings);
const owners = new Map<string, TestTenant>();
const app = await testApp({
  publicUrl,
  carriers,
  egress: createEgress({ allow: [], publicUrl }),
  sms: { ...openSms([], owners), routes: listSmsRoutes(settings) },
  http: { perMinuteUnauthenticated: 100_000 },
});
const { ctx } = app;
const number = "+14155550100";
let shop: TestTenant;
let id: string;
let report: SentCallback;
let reply: SentCallback;

beforeAll(async () => {
  const transports = await openTransports({ ctx, settings, intake: createSmsIntake(ctx) });
  shop = await liveShop(app);
  owners.set(number, shop);
  const made = await app.api(shop.key).post("/v1/sms", { from: number, to: "+14155552671", body: "Hello" });
  id = made.body.id;
  const sending = smsTasks(transports).find(({ name }) => name === "send_sms");
  await sending?.run(ctx);
  await sending?.finish?.(ctx);
  report = peer.status(peer.sids[0] ?? "", "delivered");
  reply = peer.inbound(`${publicUrl}/api/carriers/sms/main/inbound`, { From: "+14155552671", To: number, Body: "STOP" });
});
afterAll(async () => {
  await peer.stop();
  await other.stop();
});

async function post({ url, headers, body }: Posted, method = "POST") {
  const { pathname, search } = new URL(url);
  return app.api().call(method, `${pathname}${search}`, { headers, ...(method === "GET" ? {} : { payload: body }) });
}

const statusOf = async () => (await findSms(ctx, shop, id)).sms.status;
const counted = async (outcomes: readonly string[]) => {
  const { values = [] } = (await (await app.server()).metrics.registry.getSingleMetric("tillpost_carrier_callbacks_total")?.get()) ?? {};
  return values.filter(({ labels }) => outcomes.includes(String(labels["outcome"]))).reduce((sum, { value }) => sum + value, 0);
};
const refusals = ["signature", "malformed", "unsupported", "unknown_account"];

/** How strangers alter a carrier's callback. */
const elsewhere = (change: (url: string) => string) => (real: Posted) => ({ ...real, url: change(real.url) });
const own = [
  { name: "another project in the address", change: elsewhere((url) => url.replace(/project=\w+/, "project=prj_other")) },
  { name: "another message in the address", change: elsewhere((url) => url.replace(/message=\w+/, "message=sms_other")) },
  { name: "a parameter more in the address", change: elsewhere((url) => `${url}${url.includes("?") ? "&" : "?"}x=1`) },
  { name: "the address of another account", change: elsewhere((url) => url.replace("/sms/main/", "/sms/other/")) },
  { name: "the address of no account", change: elsewhere((url) => url.replace("/sms/main/", "/sms/nobody/")) },
  { name: "the address of another channel", change: elsewhere((url) => url.replace("/sms/main/", "/calls/main/")) },
  { name: "another thing at this account", change: elsewhere((url) => url.replace(/(status|inbound)/, "elsewhere")) },
  { name: "JSON", change: (real: Posted) => ({ ...real, headers: { ...real.headers, "content-type": "application/json" }, body: "{}" }) },
  {
    name: "another end",
    change: (real: Posted) => ({ ...real, body: real.body.replaceAll("delivered", "undelivered").replaceAll("STOP", "START") }),
  },
  { name: "a field twice", change: (real: Posted) => ({ ...real, body: `${real.body}&MessageStatus=failed&Body=Hi` }) },
];

test.each([
  ["report", () => report],
  ["reply", () => reply],
])("a forged %s changes nothing, and is refused with a reason, logged and counted, whatever is changed in it", async (_what, real) => {
  const warned = vi.spyOn(ctx.log, "warn");
  onTestFinished(() => warned.mockRestore());
  const before = await fingerprintDatabase(ctx.db);
  const earlier = await counted(refusals);
  const all = [...forgeriesOf({ proof: inHeader("x-twilio-signature"), forgeries: [] }, real()), ...own].filter(({ change }) => {
    const { url, headers, body } = change(real());
    return url !== real().url || body !== real().body || JSON.stringify(headers) !== JSON.stringify(real().headers);
  });
  expect(all.length).toBeGreaterThan(20);
  for (const { name, change } of all) {
    const { status } = await post(change(real()));
    expect([400, 403, 404], name).toContain(status);
    expect(await fingerprintDatabase(ctx.db), name).toBe(before);
  }
  expect(await counted(refusals)).toBe(earlier + all.length);
  const logged = warned.mock.calls.filter(([, message]) => (message as unknown) === "a carrier's callback was refused");
  expect(logged).toHaveLength(all.length);
  expect(JSON.stringify(logged)).not.toMatch(/s3cr3t|an0ther/);
  expect(await statusOf()).toBe("sent");
});

test.each([
  [
    "of another account of the same carrier's",
    () => ({ ...other.signed(report.url, Object.fromEntries(new URLSearchParams(report.body))) }),
    403,
  ],
  [
    "signed for its own account and sent to another",
    () => ({ ...other.signed(report.url.replace("/main/", "/other/"), Object.fromEntries(new URLSearchParams(report.body))) }),
    404,
  ],
  ["of 64 KiB and a byte", () => peer.signed(report.url, { MessageSid: "SM1", MessageStatus: "delivered", More: "x".repeat(65_536) }), 413],
  ["without an id", () => peer.signed(report.url, { MessageStatus: "delivered" }), 400],
  ["without a status", () => peer.signed(report.url, { MessageSid: "SM1" }), 400],
])("a callback %s changes nothing", async (_what, make, status) => {
  const before = await fingerprintDatabase(ctx.db);
  expect((await post(make())).status).toBe(status);
  expect(await fingerprintDatabase(ctx.db)).toBe(before);
});

test("excess requests of strangers aren't even checked, and the carrier's own still are", async () => {
  const strict = await testApp({ publicUrl, carriers, http: { perMinuteUnauthenticated: 3 } });
  const { pathname, search } = new URL(report.url);
  const forged = { headers: { ...report.headers, "x-twilio-signature": "no" }, payload: report.body };
  const statuses: number[] = [];
  for (let sent = 0; sent < 5; sent += 1) statuses.push((await strict.api().call("POST", `${pathname}${search}`, forged)).status);
  expect(statuses).toEqual([403, 403, 403, 429, 429]);
  const elsewhere = await (await strict.server()).inject({
    method: "POST",
    url: `${pathname}${search}`,
    headers: report.headers,
    payload: report.body,
    remoteAddress: "192.0.2.7",
  });
  expect(elsewhere.statusCode).toBe(200);
});

test("what a carrier sends correctly signed and isn't used here doesn't keep out what is", async () => {
  const strict = await testApp({ publicUrl, carriers, http: { perMinuteUnauthenticated: 3 } });
  const send = async ({ url, headers, body }: SentCallback) => {
    const { pathname, search } = new URL(url);
    return (await strict.api().call("POST", `${pathname}${search}`, { headers, payload: body })).status;
  };
  const inboundUrl = `${publicUrl}/api/carriers/sms/main/inbound`;
  const fields = Object.fromEntries(new URLSearchParams(report.body));
  const unused = [
    peer.inbound(inboundUrl, { From: "whatsapp:+14155552671", To: number, Body: "Hi" }),
    peer.signed(inboundUrl.replace("inbound", "elsewhere"), fields),
    peer.signed(report.url, { ...fields, AccountSid: "AC9" }),
  ];
  for (const one of [...unused, ...unused]) expect(await send(one)).toBe(404);
  expect(await send(report)).toBe(200);
  const forged = { ...report, headers: { ...report.headers, "x-twilio-signature": "no" } };
  for (const status of [403, 403, 403, 429]) expect(await send(forged)).toBe(status);
});

test("the same callback a hundred times concurrently has one effect, both for a report and for a reply", async () => {
  let left = Array.from({ length: 100 }, (_none, at) => (at % 2 === 0 ? report : reply));
  // A busy server defers some, and the carrier sends those again.
  for (let rounds = 0; left.length > 0 && rounds < 100; rounds += 1) {
    const answers = await Promise.all(left.map(async (one) => ({ one, status: (await post(one)).status })));
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    left = answers.filter(({ status }) => status === 503).map(({ one }) => one);
  }
  expect(left).toEqual([]);
  const events = (await app.api(shop.key).get(`/v1/sms/${id}/events`)).body.data.map(({ event }: { event: string }) => event);
  expect(events).toEqual(["sms.delivered", "sms.sent", "sms.queued"]);
  const { rows } = await listSms(ctx, shop, { limit: 100, filters: { from: ["+14155552671"] } });
  expect(rows.map(({ sms }) => [sms.direction, sms.keyword])).toEqual([["inbound", "stop"]]);
});
