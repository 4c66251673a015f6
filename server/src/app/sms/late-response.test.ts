import { afterAll, beforeAll, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { createSmppTransport, type SmppTransport } from "#providers/sms/smpp/create-smpp-transport.ts";
import { readBinds } from "#providers/sms/smpp/settings/read-binds.ts";
import { createSmsIntake, smsTasks } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { buildDeliver } from "#test/support/smpp/build-pdu.ts";
import { ids, messageId, type ReceivedPdu, startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { receiptOf } from "#test/support/smpp/receipts.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { listSmsRoutes } from "./open-sms.ts";

const from = "+14155552670";
/** Submissions without a response, oldest first. */
let silent: ReceivedPdu[] = [];
/** How many of a message's parts the carrier accepts before it says nothing more. */
let acceptedFirst = 0;
let submits = 0;
const smsc = await startRawSmsc((pdu) => {
  if (pdu.id !== ids.submit) return false;
  submits += 1;
  if (submits <= acceptedFirst) return pdu.answer(0, messageId(`part${submits}`));
  silent.push(pdu);
  return true;
});
const SMPP_BINDS = `smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main`;
const app = await testApp({
  sms: { routes: listSmsRoutes({ SMPP_BINDS, SMS_HTTP_URL: null }) },
  http: { tierLimits: ["free.reads=100000"] },
});
const { ctx, clock } = app;
let shop: TestTenant;
let transport: SmppTransport;

beforeAll(async () => {
  shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  await assignNumber(ctx, { project_id: shop.project_id, value: from, channels: ["sms"] });
  transport = createSmppTransport({
    binds: readBinds(SMPP_BINDS),
    intake: createSmsIntake(ctx),
    now: ctx.now,
    report: { up() {}, down() {}, submitted() {} },
    limits: { responseMs: 300 },
  });
  await eventually("it is bound", () => transport.binds()[0]?.isUp === true);
});
afterAll(async () => {
  await transport.close();
  await smsc.stop();
});

const find = async (id: string) => (await app.api(shop.key).get(`/v1/sms/${id}`)).body;

async function work(...names: string[]): Promise<void> {
  const tasks = smsTasks([transport]);
  for (const name of names) await tasks.find((task) => task.name === name)?.run(ctx);
  for (const task of tasks) await task.finish?.(ctx);
}

let recipients = 0;
/** A message that is in doubt, because the carrier accepted only its first parts. */
async function doubtful(body: string, parts = 0): Promise<string> {
  [silent, submits, acceptedFirst] = [[], 0, parts];
  const { body: made } = await app.api(shop.key).post("/v1/sms", { from, to: `+1415555${3000 + (recipients += 1)}`, body });
  await work("send_sms");
  expect(await find(made.id)).toMatchObject({ status: "sent", segments_sent: parts, error: { code: "outcome_unknown" } });
  expect(silent).toHaveLength(1);
  return made.id;
}

let sequence = 100;
async function deliver(id: string): Promise<void> {
  sequence += 1;
  const own = sequence;
  smsc.say(buildDeliver(receiptOf({ short_message: `id:${id} stat:DELIVRD` }), own));
  await eventually("it is acknowledged", () => smsc.received.some((pdu) => pdu.id === 0x80000005 && pdu.sequence === own));
}

test("a message whose response arrives late counts as accepted, and its receipt decides", async () => {
  const id = await doubtful("Your order is on its way.");
  silent[0]?.answer(0, messageId("late1"));
  await eventually("it is no longer in doubt", async () => (await find(id)).error === null);
  expect(await find(id)).toMatchObject({ status: "sent", provider: "smpp:main", segments_sent: 1, provider_message_ids: ["late1"] });
  await deliver("late1");
  expect(await find(id)).toMatchObject({ status: "delivered", error: null });
});

test("a receipt that arrives before the late response decides once that arrives", async () => {
  const id = await doubtful("Your order is on its way.");
  await deliver("late2");
  expect(await find(id)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" } });
  silent[0]?.answer(0, messageId("late2"));
  await eventually("it is delivered", async () => (await find(id)).status === "delivered");
});

test("the late response to a message's last part completes it, and that to an earlier one doesn't", async () => {
  const whole = await doubtful("a".repeat(400), 2);
  silent[0]?.answer(0, messageId("part3"));
  await eventually("it is no longer in doubt", async () => (await find(whole)).error === null);
  for (const part of ["part1", "part2", "part3"]) await deliver(part);
  expect(await find(whole)).toMatchObject({ status: "delivered", segments_sent: 3 });

  clock.advance(73 * 3_600_000);
  const cut = await doubtful("a".repeat(400), 1);
  silent[0]?.answer(0, messageId("late3"));
  await eventually("the part is known", async () => (await find(cut)).provider_message_ids.includes("late3"));
  for (const part of ["part1", "late3"]) await deliver(part);
  clock.advance(7_200_000);
  await work("settle_sms");
  expect(await find(cut)).toMatchObject({ status: "sent", segments_sent: 1, error: { code: "outcome_unknown" } });
  clock.advance(36_000_000);
  await work("settle_sms");
  expect(await find(cut)).toMatchObject({ status: "undelivered", error: { code: "outcome_unknown" } });
});

test("a late refusal ends the message with its reason, and one of another part than the one in doubt says nothing", async () => {
  const id = await doubtful("Your order is on its way.");
  silent[0]?.answer(0x0b);
  await eventually("it is no longer in doubt", async () => (await find(id)).status !== "sent");
  const error = { code: "invalid_number", provider_code: "0x0000000B" };
  expect(await find(id)).toMatchObject({ status: "undelivered", provider: "smpp:main", error });

  const cut = await doubtful("a".repeat(400), 1);
  const refusal = { provider: "smpp:main", code: "invalid_number", message: "Refused.", provider_code: null };
  const part = { project_id: shop.project_id, livemode: true, id: cut };
  const { refusal: take } = createSmsIntake(ctx);
  for (const place of [0, 2]) await take({ ...refusal, part: { ...part, place } });
  expect(await find(cut)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" } });
  await take({ ...refusal, part: { ...part, place: 1 } });
  expect(await find(cut)).toMatchObject({ status: "undelivered", segments_sent: 1, error: { code: "invalid_number" } });
});
