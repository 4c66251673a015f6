import { describe, expect, it, test } from "vitest";
import { newRounds } from "#messaging/sending/rounds.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { accepted, liveShop, openSms, scriptedCarrier, smsRoom } from "#test/support/messages/sms.ts";
import { releaseScheduled } from "../change/release-scheduled.ts";
import { listSmsAttempts } from "../read/list-sms-attempts.ts";
import { takeReceipt } from "../receipts/take-receipt.ts";
import { claimDue } from "./claim-due.ts";
import { createSmsSender } from "./create-sms-sender.ts";
import { reviveSms } from "./revive-sms.ts";

const [first, second] = [scriptedCarrier({ name: "first" }), scriptedCarrier({ name: "second" })];
const app = await testApp({ sms: openSms([first, second]) });
const { ctx, clock } = app;
const room = smsRoom(ctx, [first, second]);
const shop = await liveShop(app);

const takenOf = (id: string) => [...first.taken, ...second.taken].filter(({ sms_id }) => sms_id === id);

describe("a lost worker", () => {
  /** A process that stops after a carrier has the message, before anything of it is written down. */
  async function lose(): Promise<string> {
    let isOut: () => void = () => {};
    const out = new Promise<void>((resolve) => void (isOut = resolve));
    first.answer = () => {
      isOut();
      return new Promise<never>(() => {});
    };
    const { id } = await room.send(shop, { validity_period: 600 });
    const sender = createSmsSender({ transports: [first], drainMs: 1 });
    await sender.run(ctx);
    await out;
    first.answer = (sms) => accepted(sms, "first");
    return id;
  }

  it("that had started to send makes the outcome unknown: the message isn't sent twice, and ends once", async () => {
    const id = await lose();
    expect(await room.find(shop, id)).toMatchObject({ status: "sending", begun: true });
    clock.advance(46_000);
    await room.settle();
    expect(await room.find(shop, id)).toMatchObject({ status: "sent", begun: false, error: { code: "outcome_unknown" } });
    expect((await listSmsAttempts(ctx, shop, { id })).map(({ result }) => result)).toEqual(["worker_lost"]);
    clock.advance(600_000);
    await room.settle();
    expect((await room.find(shop, id)).status).toBe("undelivered");
    expect(takenOf(id)).toHaveLength(1);
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent", "undelivered"]);
  });

  it("that hadn't started to send loses nothing: another one sends the message", async () => {
    const { id } = await room.send(shop);
    expect(await claimOnly(id)).toMatchObject({ status: "sending", begun: false });
    clock.advance(46_000);
    await reviveSms(ctx);
    clock.advance(60_000);
    await room.settle();
    expect(takenOf(id)).toHaveLength(1);
    expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent"]);
  });
});

/** Claims a message as a process does that is lost right afterwards. */
async function claimOnly(id: string) {
  const claiming = { livemode: true, room: 100, partitionMax: 100, lease: "dlv_lost 1", leaseMs: 45_000 };
  await ctx.transact((tx) => claimDue(tx, ctx, { rounds: newRounds({ usual: 100, reserved: 0 }), claiming }));
  return room.find(shop, id);
}

test("a response that arrives after the lease has lapsed still counts", async () => {
  let answer: () => void = () => {};
  first.answer = async (sms) => {
    await new Promise<void>((resolve) => void (answer = resolve));
    return accepted(sms, "first");
  };
  const { id } = await room.send(shop);
  const sender = createSmsSender({ transports: [first] });
  await sender.run(ctx);
  await expect.poll(() => takenOf(id).length).toBe(1);
  clock.advance(46_000);
  await reviveSms(ctx);
  expect(await room.find(shop, id)).toMatchObject({ status: "sent", error: { code: "outcome_unknown" } });
  answer();
  await sender.finish(ctx);
  first.answer = (sms) => accepted(sms, "first");
  expect(await room.find(shop, id)).toMatchObject({ status: "sent", error: null, settle_at: null, segments_sent: 1 });
  expect(await room.eventsOf(shop, id)).toEqual(["queued", "sent"]);
});

test("reports of the carrier that a lost worker gave a message to count, whichever carrier an earlier attempt used", async () => {
  const { promise: out, resolve: isOut } = Promise.withResolvers<string>();
  const later = { result: "deferred", retry_after_ms: 1_000, code: "throttled", message: "Later.", provider_code: "88" } as const;
  for (const carrier of [first, second])
    carrier.answer = (sms) => {
      if (sms.attempt === 1) return { ...later, provider: carrier.name, sent: [] };
      isOut(carrier.name);
      return new Promise<never>(() => {});
    };
  const { id } = await room.send(shop);
  await room.settle();
  const [earlier] = await listSmsAttempts(ctx, shop, { id });
  clock.advance(1_000);
  await releaseScheduled(ctx);
  await createSmsSender({ transports: [first, second], drainMs: 1 }).run(ctx);
  const provider = await out;
  expect(earlier?.provider).toBe(provider === "first" ? "second" : "first");
  clock.advance(46_000);
  await reviveSms(ctx);
  expect(await room.find(shop, id)).toMatchObject({ status: "sent", provider: null, error: { code: "outcome_unknown" } });
  const message = { project_id: shop.project_id, livemode: shop.livemode, id };
  const report = { provider, provider_message_id: "S1", state: "delivered", code: null, provider_code: null, occurred_at: null } as const;
  expect(await takeReceipt(ctx, { ...report, message })).toBe("stored");
  expect(await room.find(shop, id)).toMatchObject({ status: "delivered", provider, error: null });
});
