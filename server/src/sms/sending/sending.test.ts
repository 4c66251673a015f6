import { describe, expect, it, test } from "vitest";
import { setMerchantSending } from "#identity/index.ts";
import { addSuppression } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { accepted, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { cancelSms } from "../change/cancel-sms.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import { listSmsAttempts } from "../read/list-sms-attempts.ts";
import type { SmsOutcome } from "../transport.ts";
import { createSmsSender } from "./create-sms-sender.ts";

// The first is as good as always the one whose turn it is.
const [first, second] = [
  scriptedCarrier({ name: "first", countries: ["US", "DE"], share: 1e9 }),
  scriptedCarrier({ name: "second", countries: ["US"], share: 1e-9 }),
];
const app = await testApp({ sms: openSms([first, second]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [first, second]);
const shop = await liveShop(app);

const refused: SmsOutcome = {
  provider: "first",
  sent: [],
  result: "refused",
  code: "invalid_number",
  message: "No such number.",
  provider_code: "11",
};
const deferred = (retry_after_ms: number | null): SmsOutcome => {
  return { provider: "first", sent: [], result: "deferred", retry_after_ms, code: "throttled", message: "Later.", provider_code: "88" };
};
const unknown: SmsOutcome = { provider: "first", sent: [], result: "unknown", message: "The connection was lost." };

/** Has both carriers answer so once. */
async function sendWith(outcome: SmsOutcome | null, given: Parameters<typeof room.send>[1] = {}) {
  for (const carrier of [first, second]) carrier.answer = (sms) => outcome ?? accepted(sms, carrier.name);
  const { id } = await room.send(shop, given);
  await room.settle();
  for (const carrier of [first, second]) carrier.answer = (sms) => accepted(sms, carrier.name);
  return id;
}

const takenOf = (id: string) => [...first.taken, ...second.taken].filter(({ sms_id }) => sms_id === id);
const attemptsOf = async (id: string) => (await listSmsAttempts(ctx, shop, { id })).map(({ result }) => result);

test("a message is handed to a carrier as requested, and is sent once the carrier has it", async () => {
  const id = await sendWith(null, { from: "ACME", to: "+14155552671", body: "Hi €" });
  expect(takenOf(id)).toMatchObject([
    {
      from: { value: "ACME", kind: "alphanumeric" },
      to: "+14155552671",
      country: "US",
      body: "Hi €",
      firstPart: 0,
      attempt: 1,
      livemode: true,
    },
  ]);
  const [part] = takenOf(id)[0]?.parts ?? [];
  expect([part?.encoding, part?.hasHeader, part?.bytes.toString("hex")]).toEqual(["GSM-7", false, "4869201b65"]);
  expect(await room.find(shop, id)).toMatchObject({
    status: "sent",
    state: "done",
    provider: "first",
    segments_sent: 1,
    error: null,
    sent_at: ctx.now(),
  });
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent"]);
  expect(await attemptsOf(id)).toEqual(["accepted"]);
});

test("a process whose transports are closed leaves messages to others", async () => {
  first.isOpen = second.isOpen = () => false;
  const { id } = await room.send(shop);
  await room.settle();
  expect(takenOf(id)).toEqual([]);
  expect(await room.find(shop, id)).toMatchObject({ status: "queued", state: "due", attempts: 0 });
  second.isOpen = () => true;
  await room.settle();
  expect(takenOf(id)).toHaveLength(1);
  first.isOpen = () => true;
});

test("messages of several parts to one recipient have separate references, each the same in all parts", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => room.send(shop, { body: "a".repeat(200), to: "+14155552999" })));
  await room.settle();
  const references = ids.map(({ id }) => takenOf(id)[0]?.parts.map(({ bytes }) => bytes[3]));
  for (const of of references) expect(new Set(of).size).toBe(1);
  expect(new Set(references.map((of) => of?.[0])).size).toBe(5);
});

/** Neither NUL nor half of a surrogate pair can be stored. */
const odd = { message: `\u0000${"x".repeat(998)}😀`, provider_code: "\u0000\ud83d" };
const asStored = { message: `\ufffd${"x".repeat(998)}\ufffd`, provider_code: "\ufffd\ufffd" };

test("a message that a carrier refuses or defers in words that can't be stored ends, or is tried again, like any other", async () => {
  expect(await room.find(shop, await sendWith({ ...refused, ...odd }))).toMatchObject({ status: "failed", error: asStored });
  const id = await sendWith({ ...deferred(2_000), ...odd });
  expect(await room.find(shop, id)).toMatchObject({ status: "queued", state: "waiting", error: asStored });
  expect(await listSmsAttempts(ctx, shop, { id })).toMatchObject([{ result: "deferred", ...asStored }]);
  clock.advance(2_000);
  await room.settle();
  expect(await room.find(shop, id)).toMatchObject({ status: "sent", error: null });
});

describe("a message", () => {
  it("that a carrier refuses has failed, and isn't tried again", async () => {
    const id = await sendWith(refused);
    clock.advance(3_600_000);
    await room.settle();
    expect(takenOf(id)).toHaveLength(1);
    expect(await room.find(shop, id)).toMatchObject({
      status: "failed",
      error: { code: "invalid_number", message: "No such number.", provider_code: "11" },
    });
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "failed"]);
  });

  it("that a carrier defers is tried again, by the next carrier", async () => {
    const id = await sendWith(deferred(2_000));
    expect(await room.find(shop, id)).toMatchObject({ status: "queued", state: "waiting", error: { code: "throttled" } });
    clock.advance(1_999);
    await room.settle();
    expect(takenOf(id)).toHaveLength(1);
    clock.advance(1);
    await room.settle();
    expect(await room.find(shop, id)).toMatchObject({ status: "sent", provider: "second", error: null });
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent"]);
    expect(await attemptsOf(id)).toEqual(["accepted", "deferred"]);
  });

  it("that every carrier defers goes from one to the next, and counts the turns, so that each can use another connection", async () => {
    for (const carrier of [first, second]) carrier.answer = () => deferred(2_000);
    const { id } = await room.send(shop);
    await room.settle();
    for (let retry = 0; retry < 3; retry += 1) {
      clock.advance(2_000);
      await room.settle();
    }
    for (const carrier of [first, second]) {
      expect(carrier.taken.filter(({ sms_id }) => sms_id === id).map(({ turn }) => turn)).toEqual([0, 1]);
      carrier.answer = (sms) => accepted(sms, carrier.name);
    }
    clock.advance(2_000);
    await room.settle();
    expect((await room.find(shop, id)).status).toBe("sent");
  });

  it("that no carrier accepts until its time is up has failed", async () => {
    for (const carrier of [first, second]) carrier.answer = () => deferred(null);
    const { id } = await room.send(shop, { validity_period: 60 });
    for (let second = 0; second < 70; second += 5) {
      await room.settle();
      clock.advance(5_000);
    }
    await room.settle();
    for (const carrier of [first, second]) carrier.answer = (sms) => accepted(sms, carrier.name);
    expect(takenOf(id).length).toBeGreaterThan(1);
    expect(await room.find(shop, id)).toMatchObject({ status: "failed", error: { code: "expired", provider_code: "88" } });
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "failed"]);
  });

  it("that was held back wasn't attempted", async () => {
    const id = await sendWith({
      provider: "first",
      sent: [],
      result: "held",
      until: new Date(ctx.now().getTime() + 30_000),
      reason: "No slot.",
    });
    expect(await room.find(shop, id)).toMatchObject({ status: "queued", state: "waiting", attempts: 0, error: null });
    expect(await attemptsOf(id)).toEqual([]);
    clock.advance(30_000);
    await room.settle();
    expect((await room.find(shop, id)).status).toBe("sent");
  });

  it("whose response was lost is never sent again, and counts as undelivered when its time is up", async () => {
    const id = await sendWith(unknown, { validity_period: 600 });
    expect(await room.find(shop, id)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" } });
    clock.advance(599_000);
    await room.settle();
    expect((await room.find(shop, id)).status).toBe("sent");
    clock.advance(1_000);
    await room.settle();
    await room.settle();
    expect(await room.find(shop, id)).toMatchObject({ status: "undelivered", error: { code: "outcome_unknown" } });
    expect(takenOf(id)).toHaveLength(1);
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent", "undelivered"]);
    expect((await room.data(shop, id))[1]).toMatchObject({ sms: { status: "sent", error: { code: "outcome_unknown" } } });
  });

  it("goes only to carriers of its country", async () => {
    const abroad = await liveShop(app, "DE");
    const before = second.taken.length;
    for (let n = 0; n < 4; n += 1) await room.send(abroad, { to: "+4915123456789" });
    await room.settle();
    expect(second.taken.length).toBe(before);
  });

  it("whose recipient opted out in the meantime isn't sent", async () => {
    const { id, sender, recipient } = await room.send(shop, { from: "ACME", to: "+14155552678" });
    const address = optOutOf({ sender, recipient });
    await ctx.transact((tx) => addSuppression(tx, ctx, { tenant: shop, channel: smsChannel, address, reason: "unsubscribe" }));
    await room.settle();
    expect(takenOf(id)).toEqual([]);
    expect(await room.find(shop, id)).toMatchObject({ status: "failed", error: { code: "opted_out" } });
  });

  it("of a merchant whose sending is suspended waits, and expires at its time", async () => {
    const other = await liveShop(app);
    const { id } = await room.send(other, { validity_period: 60 });
    await setMerchantSending(ctx, { merchant_id: other.merchant_id, reason: "Complaints" });
    await room.settle();
    expect((await room.find(other, id)).status).toBe("queued");
    clock.advance(60_000);
    await room.settle();
    expect(await room.find(other, id)).toMatchObject({ status: "failed", error: { code: "expired" } });
    expect(takenOf(id)).toEqual([]);
  });

  it("that is scheduled is sent at its time, and its validity begins then", async () => {
    const at = new Date(ctx.now().getTime() + 3_600_000);
    const made = await room.send(shop, { scheduled_at: at.toISOString(), validity_period: 60 });
    expect(made).toMatchObject({ status: "scheduled", scheduled_at: at, expires_at: new Date(at.getTime() + 60_000) });
    clock.advance(3_599_000);
    await room.settle();
    expect(takenOf(made.id)).toEqual([]);
    clock.advance(1_000);
    await room.settle();
    expect(await room.eventsOf(shop, made.id)).toEqual(["scheduled", "queued", "sent"]);
  });

  it("that is canceled in time is never sent", async () => {
    const { id } = await room.send(shop);
    expect(await cancelSms(ctx, shop, { id })).toMatchObject({ status: "canceled" });
    await room.settle();
    expect(takenOf(id)).toEqual([]);
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "canceled"]);
    await expect(cancelSms(ctx, shop, { id })).rejects.toMatchObject({ code: "sms_state_conflict" });
  });

  it("can't be canceled once some of its parts have been sent", async () => {
    for (const carrier of [first, second])
      carrier.answer = (sms) => ({ ...deferred(60_000), provider: carrier.name, sent: accepted(sms, carrier.name).sent.slice(0, 1) });
    const { id } = await room.send(shop, { body: "a".repeat(400) });
    await room.settle();
    await expect(cancelSms(ctx, shop, { id })).rejects.toMatchObject({ code: "sms_state_conflict" });
    for (const carrier of [first, second]) carrier.answer = (sms) => accepted(sms, carrier.name);
    clock.advance(60_000);
    await room.settle();
    expect(takenOf(id).map(({ firstPart }) => firstPart)).toEqual([0, 1]);
    expect(new Set([...first.taken, ...second.taken].filter(({ sms_id }) => sms_id === id)).size).toBe(2);
    expect(await room.find(shop, id)).toMatchObject({ status: "sent", provider: "first", segments_sent: 3 });
  });
});

test("canceling and sending concurrently have one of both outcomes, reported once", async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => room.send(shop)));
  const sender = createSmsSender({ transports: [first] });
  const canceled = made.map(({ id }) => cancelSms(ctx, shop, { id }).catch(() => null));
  await Promise.all([sender.run(ctx), ...canceled]);
  await sender.finish(ctx);
  await room.settle();
  for (const { id } of made) {
    const { status } = await room.find(shop, id);
    expect(await room.eventsOf(shop, id)).toEqual(["queued", status]);
    expect(takenOf(id)).toHaveLength(status === "sent" ? 1 : 0);
  }
});

test("without a transport, LIVE messages that were accepted earlier expire at their time", async () => {
  const { id } = await room.send(shop, { validity_period: 60 });
  const closed = smsRoom(ctx, []);
  await closed.settle();
  expect((await room.find(shop, id)).status).toBe("queued");
  clock.advance(60_000);
  await closed.settle();
  expect(await room.find(shop, id)).toMatchObject({ status: "failed", error: { code: "expired" } });
});
