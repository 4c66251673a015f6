import { expect, test } from "vitest";
import { callChannel } from "#calls/index.ts";
import { reviveCalls } from "#calls/running/revive-calls.ts";
import { silentSpeech } from "#calls/simulator/create-simulator.ts";
import { setMerchantSending } from "#identity/index.ts";
import { createSuppression } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom, handTransport, heldLeg } from "#test/support/messages/calls.ts";
import { liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { testCode, verificationRoom } from "#test/support/messages/verifications.ts";
import { cancelVerification, checkCode } from "./index.ts";

const carrier = scriptedCarrier();
const app = await testApp({ sms: openSms([carrier]), calls: { hasRoute: () => true, mayUse: async () => true } });
const { ctx, clock } = app;
const room = verificationRoom(ctx);
const [texts, calls] = [smsRoom(ctx, [carrier]), callRoom(app)];
const shop = await app.tenant();
const failing = "+15005551002";
const silent = "+15005551004";

test("if a message fails, the same code is sent by the next channel", async () => {
  const row = await room.start(shop, { to: failing, channels: ["sms", "call"] });
  await texts.settle();
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ channel: "sms", sends_left: 2 });
  clock.advance(2_000);
  await room.processDue();
  const after = await room.find(row);
  expect(after).toMatchObject({ status: "pending", channel: "call", sends_left: 1, error: null });
  expect(after.sends.map(({ channel, cause }) => [channel, cause])).toEqual([
    ["sms", "start"],
    ["call", "fallback"],
  ]);
  await calls.settle();
  expect((await checkCode(ctx, shop, { id: row.id, code: testCode })).status).toBe("approved");
});

test("without another channel, the verification says why its message failed and remains pending", async () => {
  const row = await room.start(shop, { to: failing });
  await texts.settle();
  clock.advance(2_000);
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ status: "pending", error: { code: "carrier_rejected" } });
});

test("after fallback_after the next channel is tried, not a millisecond sooner, even without a failure", async () => {
  const row = await room.start(shop, { to: silent, channels: ["sms", "call"], fallback_after: 30 });
  await texts.settle();
  clock.advance(29_999);
  await room.processDue();
  expect((await room.find(row)).channel).toBe("sms");
  clock.advance(1);
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ channel: "call", fallback_at: null });
});

test.each([
  ["long before", 2_000],
  ["at the last moment", 30_000],
])("after fallback_after nothing more is sent if the message arrived %s", async (_what, ms) => {
  const row = await room.start(shop, { to: "+15005551000", channels: ["sms", "call"], fallback_after: 30 });
  await texts.settle();
  clock.advance(ms);
  await texts.settle();
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ status: "pending", channel: "sms", fallback_at: null });
  clock.advance(60_000);
  await room.processDue();
  expect((await room.find(row)).sends).toHaveLength(1);
  expect((await checkCode(ctx, shop, { id: row.id, code: testCode })).status).toBe("approved");
});

test("after fallback_after nothing more is sent while the callee listens, but if that call fails, the next channel is used", async () => {
  const transport = handTransport(ctx);
  const caller = calls.process({ routes: { test: { transport, speech: silentSpeech } } });
  const row = await room.start(shop, { to: silent, channels: ["call", "sms"], fallback_after: 30 });
  await caller.run(calls.ctx);
  await calls.quiet();
  const [sent] = (await room.find(row)).sends;
  transport.dialed.find(({ call }) => call.call_id === sent?.message_id)?.handlers.answered(ctx.now(), heldLeg);
  await calls.quiet();
  clock.advance(30_000);
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ status: "pending", channel: "call", fallback_at: null });
  expect((await room.find(row)).sends).toHaveLength(1);
  // Its process is lost.
  clock.advance(16_000);
  await reviveCalls(ctx);
  await room.processDue();
  expect((await room.find(row)).sends.map(({ channel, cause }) => [channel, cause])).toEqual([
    ["call", "start"],
    ["sms", "fallback"],
  ]);
});

test("without fallback_after a message that is only slow keeps its channel", async () => {
  const row = await room.start(shop, { to: silent, channels: ["sms", "call"] });
  await texts.settle();
  clock.advance(500_000);
  await room.processDue();
  expect((await room.find(row)).channel).toBe("sms");
});

test("several concurrent workers try the next channel once", async () => {
  const row = await room.start(shop, { to: silent, channels: ["sms", "call"], fallback_after: 30 });
  await texts.settle();
  clock.advance(30_000);
  await Promise.all([room.processDue(), room.processDue(), room.processDue()]);
  expect((await room.find(row)).sends).toHaveLength(2);
  expect(await room.eventsOf(row)).toEqual(["created", "sent", "sent"]);
});

test("a code checked while the next channel is tried approves, and no call is placed afterwards", async () => {
  for (let round = 0; round < 6; round += 1) {
    const row = await room.start(shop, { to: silent, channels: ["sms", "call"], fallback_after: 30 });
    await texts.settle();
    clock.advance(30_000);
    await Promise.all([room.processDue(), checkCode(ctx, shop, { id: row.id, code: testCode })]);
    const after = await room.find(row);
    expect(after.status).toBe("approved");
    for (const { channel, message_id } of after.sends.slice(1)) {
      expect(channel).toBe("call");
      expect((await calls.find({ ...shop, id: message_id } as never)).status).toBe("canceled");
    }
  }
});

test("a channel that refuses when its turn comes is reported, and doesn't end the verification", async () => {
  const row = await room.start(shop, { to: "+15005551001", channels: ["sms", "call"] });
  await createSuppression(ctx, shop, { channel: callChannel, address: "+15005551001", reason: "manual" });
  await texts.settle();
  clock.advance(2_000);
  await texts.settle();
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ status: "pending", channel: "sms", error: { code: "recipient_opted_out" } });
  expect((await checkCode(ctx, shop, { id: row.id, code: testCode })).status).toBe("approved");
});

test("a project suspended in the meantime sends nothing by another channel", async () => {
  const live = await liveShop(app);
  const row = await room.start(live, { to: "+14155552671", from: "+14155552670", channels: ["sms", "call"], fallback_after: 30 });
  await setMerchantSending(ctx, { merchant_id: live.merchant_id, reason: "Complaints" });
  clock.advance(30_000);
  await room.processDue();
  expect(await room.find(row)).toMatchObject({ channel: "sms", error: { code: "sending_suspended" } });
  await cancelVerification(ctx, live, { id: row.id });
});

test("every channel sends the same code, and the merchant only learns it from the person", async () => {
  const live = await liveShop(app);
  const row = await room.start(live, { to: "+14155552672", from: "+14155552670", origin: "shop.example.com" });
  await texts.settle();
  const lines = carrier.taken.at(-1)?.body.split("\n") ?? [];
  const code = /^@shop\.example\.com #(\d{6})$/.exec(lines.at(-1) ?? "")?.[1] ?? "";
  expect(lines[0]).toContain(`${code} is your `);
  const guess = code === "000000" ? "111111" : "000000";
  expect(await checkCode(ctx, live, { id: row.id, code: guess })).toMatchObject({ status: "pending", checks_left: 4 });
  expect(await checkCode(ctx, live, { id: row.id, code })).toMatchObject({ status: "approved" });
});
