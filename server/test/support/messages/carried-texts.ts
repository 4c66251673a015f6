import { afterAll, beforeAll, expect, test } from "vitest";
import { listCarrierWebhooks } from "#app/carriers/list-webhooks.ts";
import { readSettings } from "#app/config.ts";
import { listSmsRoutes, openSms } from "#app/sms/open-sms.ts";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { createEgress } from "#platform/index.ts";
import { createSmsIntake, findSms, type SmsTransport, smsTasks } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { buildDeliver } from "#test/support/smpp/build-pdu.ts";
import { startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startTwilio } from "#test/support/twilio/twilio-peer.ts";

/** The code points of a plane, without NUL and surrogates. */
export function pointsOf(plane: number): number[] {
  const first = plane * 0x10000;
  const points = Array.from({ length: 0x10000 }, (_none, at) => first + at);
  return points.filter((point) => point !== 0 && (point < 0xd800 || point > 0xdfff));
}

const ours = "+16505552670";
const pointsPerText = 250;
const ucs2 = 0x08;
const headerBit = 0x40;

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const [smsc, peer] = [await startRawSmsc(), await startTwilio()];
const settings = readSettings({
  PUBLIC_URL: publicUrl,
  SMPP_BINDS: `smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main&countries=1415&tps=10000`,
  SMS_HTTP_URL: peer.setting("name=web&countries=1212"),
});
const app = await testApp({
  publicUrl,
  egress: createEgress({ allow: [], publicUrl }),
  sms: { routes: listSmsRoutes(settings) },
  carriers: listCarrierWebhooks(settings),
  http: { tierLimits: ["enterprise.sms=1000000", "enterprise.reads=1000000"] },
});
const { ctx } = app;
let shop: TestTenant;
let key: string;
let transports: SmsTransport[];
let tasks: ReturnType<typeof smsTasks>;
let people = 0;
let sequence = 1_000;

/**
 * Tests that texts of every plane arrive unchanged: from the API in the database, at a carrier over SMPP and at one over HTTP, and from
 * both back to the API.
 */
export function testCarriedTexts(chosen: (plane: number) => readonly number[], options: { timeout?: number } = {}): void {
  beforeAll(open);
  afterAll(async () => {
    for (const task of tasks) await task.finish?.(ctx);
    await Promise.all(transports.map((transport) => transport.close()));
    await smsc.stop();
    await peer.stop();
  });

  const planes = Array.from({ length: 17 }, (_none, plane) => plane);
  test.each(planes)("texts of plane %i arrive unchanged at carriers over SMPP and HTTP, and from them", options, async (plane) => {
    const points = chosen(plane);
    for (let at = 0; at < points.length; at += pointsPerText) {
      const text = textOf(points.slice(at, at + pointsPerText));
      people += 1;
      await goBothWays(text, String(people).padStart(4, "0"));
    }
  });
}

/**
 * A character that isn't in GSM-7, so that the text is sent in UCS-2, before every 25: from the thirtieth mark on a letter, marks keep the
 * order that they have.
 */
function textOf(points: readonly number[]): string {
  return points.map((point, at) => `${at % 25 === 0 ? "中" : ""}${String.fromCodePoint(point)}`).join("");
}

async function open(): Promise<void> {
  await (await app.server()).listen({ port, host: "127.0.0.1" });
  shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US", messaging_tier: "enterprise" });
  await assignNumber(ctx, { project_id: shop.project_id, value: ours, channels: ["sms"] });
  ({ key } = await app.key(shop));
  transports = await openSms({ ctx, settings, intake: createSmsIntake(ctx) });
  tasks = smsTasks(transports);
  const person = { to: "+14155550000", country: "US" };
  await eventually("the bind is up", () => transports.some(({ name, share }) => name === "smpp" && share(person) > 0));
}

async function goBothWays(text: string, digits: string): Promise<void> {
  const [overSmpp, overHttp] = [`+1415555${digits}`, `+1212555${digits}`] as const;
  const sent = text.normalize("NFC");
  smsc.received.length = 0;
  peer.received.length = 0;
  const ids = [await post(overSmpp, text), await post(overHttp, text)];
  await eventually("both are sent", async () => {
    await tasks.find(({ name }) => name === "send_sms")?.run(ctx);
    const found = await Promise.all(ids.map((id) => findSms(ctx, shop, id)));
    return found.every(({ sms }) => sms.status === "sent");
  });
  for (const id of ids) expect((await app.api(key).get(`/v1/sms/${id}`)).body.body).toBe(sent);
  const parts = smsc.submits().map(({ body }) => readSubmit(body));
  expect(decode(parts)).toBe(sent);
  expect(peer.received.map(({ form }) => form.get("Body"))).toEqual([sent]);

  for (const { esm_class, bytes } of parts) await deliver(overSmpp, { esm_class, hex: bytes.toString("hex") });
  const { url, headers, body } = peer.inbound(`${publicUrl}/api/carriers/sms/web/inbound`, { From: overHttp, To: ours, Body: text });
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  expect([await receivedFrom(overSmpp), await receivedFrom(overHttp)]).toEqual([[sent], [text]]);
}

async function post(to: string, body: string): Promise<string> {
  const made = await app.api(key).post("/v1/sms", { from: ours, to, body });
  expect([made.status, made.body.encoding], made.text).toEqual([201, "UCS-2"]);
  return made.body.id;
}

async function receivedFrom(number: string): Promise<string[]> {
  const { body } = await app.api(key).get(`/v1/sms?direction=inbound&from=${encodeURIComponent(number)}`);
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  return Promise.all(ids.map(async (id) => (await app.api(key).get(`/v1/sms/${id}`)).body.body));
}

interface Submitted {
  esm_class: number;
  data_coding: number;
  bytes: Buffer;
}

/** The fields of a submit_sm, read independently of the code under test. */
function readSubmit(body: Buffer): Submitted {
  let at = 0;
  const skipText = () => void (at = body.indexOf(0, at) + 1);
  skipText();
  for (let address = 0; address < 2; address += 1) {
    at += 2;
    skipText();
  }
  const esm_class = body.readUInt8(at);
  at += 3;
  skipText();
  skipText();
  const [data_coding, length] = [body.readUInt8(at + 2), body.readUInt8(at + 4)];
  return { esm_class, data_coding, bytes: body.subarray(at + 5, at + 5 + length) };
}

/** The text of some parts; they are in order. */
function decode(parts: readonly Submitted[]): string {
  expect(new Set(parts.map(({ data_coding }) => data_coding))).toEqual(new Set([ucs2]));
  const texts = parts.map(({ esm_class, bytes }) => ((esm_class & headerBit) === 0 ? bytes : bytes.subarray(bytes.readUInt8(0) + 1)));
  return Buffer.concat(texts).swap16().toString("utf16le");
}

async function deliver(from: string, { esm_class, hex }: { esm_class: number; hex: string }): Promise<void> {
  sequence += 1;
  const own = sequence;
  const addresses = { source_addr_ton: 1, source_addr: from.slice(1), dest_addr_ton: 1, destination_addr: ours.slice(1) };
  smsc.say(buildDeliver({ ...addresses, esm_class, data_coding: ucs2, short_message: { hex } }, own));
  const answer = () => smsc.received.find(({ id, sequence: number }) => id === 0x80000005 && number === own);
  await eventually("it is acknowledged", () => answer() !== undefined);
  expect(answer()?.status).toBe(0);
}
