import { beforeEach, describe, expect, test } from "vitest";
import { addSuppression } from "#messaging/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, type HandTransport, handTransport, heldLeg } from "#test/support/messages/calls.ts";
import { hangUpCall } from "../change/hang-up-call.ts";
import { expireCalls } from "../change/maintain-calls.ts";
import { callChannel } from "../channel/call-channel.ts";
import type { CallRow } from "../shapes.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import type { Caller } from "./create-caller.ts";
import { reviveCalls } from "./revive-calls.ts";

const app = await testApp({ calls: { atOnce: 3 } });
const room = callRoom(app);
const { ctx } = room;
const quietMs = 600_000;

let shop: TestTenant;
let hand: HandTransport;
let caller: Caller;
const processOn = (transport: HandTransport) => room.process({ routes: { test: { transport, speech: silentSpeech } } });
beforeEach(async () => {
  app.clock.advance(quietMs);
  shop = await app.tenant();
  hand = handTransport(ctx);
  caller = processOn(hand);
});

async function run(by = caller): Promise<void> {
  await by.run(ctx);
  await room.quiet();
}
const ringing = (place = 0) => hand.dialed[place]?.handlers.ringing(ctx.now());
const answer = (place = 0) => hand.dialed[place]?.handlers.answered(ctx.now(), heldLeg);
const end = (place = 0) => hand.dialed[place]?.handlers.ended(completed, ctx.now());
const states = async (calls: CallRow[]) => (await Promise.all(calls.map(room.find))).map(({ status, state }) => `${status} ${state}`);
const terminal = (events: string[]) => events.filter((name) => ["completed", "busy", "no_answer", "failed", "canceled"].includes(name));

describe("a hang-up", () => {
  test("cancels a call that no process has, immediately and once", async () => {
    for (const given of [{}, { scheduled_at: new Date(ctx.now().getTime() + 60_000).toISOString() }]) {
      const call = await room.place(shop, given);
      expect(await hangUpCall(ctx, shop, { id: call.id })).toMatchObject({
        status: "canceled",
        state: "done",
        hangup_by: "caller",
        duration: null,
      });
      await expect(hangUpCall(ctx, shop, { id: call.id })).rejects.toMatchObject({ code: "call_state_conflict" });
      expect((await room.eventsOf(call)).slice(-1)).toEqual(["canceled"]);
    }
    await run();
    expect(hand.dialed).toEqual([]);
  });

  test.each([
    ["is being placed", () => {}, "canceled"],
    ["rings", ringing, "canceled"],
    ["was answered", answer, "completed"],
  ])("reaches a call that %s in another process", async (_name, happens, status) => {
    const call = await room.place(shop);
    await run();
    happens();
    await room.quiet();
    expect((await hangUpCall(ctx, shop, { id: call.id })).hangup_asked_at).not.toBeNull();
    // Asking again is no fault while it lasts.
    await hangUpCall(ctx, shop, { id: call.id });
    expect(hand.dialed[0]?.hungUp).toEqual([]);
    await caller.watch(ctx);
    await room.quiet();
    await run();
    expect(hand.dialed[0]?.hungUp.length).toBeGreaterThan(0);
    expect(await room.find(call)).toMatchObject({ status, hangup_by: "caller" });
    expect(terminal(await room.eventsOf(call))).toEqual([status]);
  });

  test("isn't forgotten if the network answers before it learns of it", async () => {
    hand.obeys = false;
    const call = await room.place(shop);
    await run();
    await hangUpCall(ctx, shop, { id: call.id });
    await caller.watch(ctx);
    answer();
    await room.quiet();
    end();
    await room.quiet();
    await run();
    expect(await room.find(call)).toMatchObject({ status: "completed", duration: 1 });
    expect(terminal(await room.eventsOf(call))).toEqual(["completed"]);
  });
});

describe("a lost process", () => {
  test.each<[string, () => void, string[]]>([
    ["while it was being placed", () => {}, ["queued", "initiated", "failed"]],
    ["while it rang", ringing, ["queued", "initiated", "ringing", "failed"]],
    ["while it lasted", answer, ["queued", "initiated", "in_progress", "failed"]],
  ])("%s leaves a failed call, which is never placed again", async (_name, happens, events) => {
    const call = await room.place(shop);
    await run();
    happens();
    await room.quiet();
    app.clock.advance(46_000);
    expect(await reviveCalls(ctx)).toBe(1);
    expect(await room.find(call)).toMatchObject({ status: "failed", error: { code: "worker_lost" }, state: "done" });
    // It was only stalled, and still says how the call ended.
    end();
    await room.quiet();
    await run();
    await run(processOn(handTransport(ctx)));
    expect(await room.eventsOf(call)).toEqual(events);
    expect(hand.dialed).toHaveLength(1);
  });

  test("leaves a call that says which trunk had it last", async () => {
    const call = await room.place(shop);
    await run();
    expect((await room.find(call)).provider).toBe("hand");
    for (const provider of ["hand:first", "hand:second"]) hand.dialed[0]?.handlers.carriedBy(provider);
    await room.quiet();
    const { status, version, provider } = await room.find(call);
    expect([status, version, provider]).toEqual(["initiated", 2, "hand:second"]);
    app.clock.advance(46_000);
    await reviveCalls(ctx);
    expect(await room.find(call)).toMatchObject({ provider: "hand:second", error: { code: "worker_lost" } });
  });

  test("that hadn't contacted the network leaves a call that another one places", async () => {
    const call = await room.place(shop);
    const lost = processOn(handTransport(ctx, 100));
    const transact = ctx.transact;
    // The claim commits, and then nothing more.
    let commits = 0;
    const dying = { ...ctx, transact: ((work) => (commits++ === 0 ? transact(work) : new Promise(() => {}))) as typeof transact };
    await lost.run(dying);
    expect(await states([call])).toEqual(["queued leased"]);
    app.clock.advance(46_000);
    expect(await reviveCalls(ctx)).toBe(1);
    await run();
    expect(hand.dialed).toHaveLength(1);
    end();
    await room.quiet();
    await run();
    expect(terminal(await room.eventsOf(call))).toHaveLength(1);
  });

  test("loses no call while its leases are extended, however long the call lasts", async () => {
    const call = await room.place(shop);
    await run();
    answer();
    for (let minute = 0; minute < 12; minute += 1) {
      app.clock.advance(16_000);
      await run();
      expect(await reviveCalls(ctx)).toBe(0);
    }
    end();
    await room.quiet();
    await run();
    expect(await room.find(call)).toMatchObject({ status: "completed", duration: 192 });
  });
});

test("a process that stops hangs up, and says why; what it hadn't started goes to another", async () => {
  const answered = await room.place(shop);
  await run();
  answer();
  const unanswered = await room.place(shop);
  await run();
  await room.quiet();
  await caller.finish(ctx);
  expect(await room.find(answered)).toMatchObject({ status: "completed", hangup_by: "caller", error: { code: "worker_lost" } });
  expect(await room.find(unanswered)).toMatchObject({ status: "failed", error: { code: "worker_lost" } });
  for (const call of [answered, unanswered]) expect(terminal(await room.eventsOf(call))).toHaveLength(1);
});

test("two concurrent processes place a call once, and never more of one project's than allowed", async () => {
  const other = await app.tenant();
  const calls: CallRow[] = [];
  for (let place = 0; place < 7; place += 1) calls.push(await room.place(shop));
  const theirs = await room.place(other);
  const hands = Array.from({ length: 4 }, () => handTransport(ctx));
  const processes = hands.map(processOn);
  const dialed = () => hands.flatMap((one) => one.dialed);
  for (let round = 0; round < 3; round += 1) await Promise.all(processes.map((one) => one.run(ctx)));
  await room.quiet();
  expect(
    dialed()
      .map(({ call }) => call.call_id)
      .sort(),
  ).toEqual([...calls.slice(0, 3), theirs].map(({ id }) => id).sort());
  // One ends, and the next one follows.
  const [first] = dialed().filter(({ call }) => call.call_id === calls[0]?.id);
  first?.handlers.ended({ ...completed, status: "busy" }, ctx.now());
  await room.quiet();
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(processes.map((one) => one.run(ctx)));
    await room.quiet();
  }
  expect(new Set(dialed().map(({ call }) => call.call_id))).toEqual(new Set([...calls.slice(0, 4), theirs].map(({ id }) => id)));
  expect(dialed()).toHaveLength(5);
});

test("a process takes no more calls than its transport carries, so that others can", async () => {
  const small = handTransport(ctx, 1);
  const [first, second] = [await room.place(shop), await room.place(shop)];
  await run(processOn(small));
  expect(await states([first, second])).toEqual(["initiated leased", "queued due"]);
});

test("calls wait while their transport can't place any, and are placed once it can", async () => {
  hand.isOpen = false;
  const call = await room.place(shop);
  await run();
  expect(await states([call])).toEqual(["queued due"]);
  hand.isOpen = true;
  await run();
  expect(await states([call])).toEqual(["initiated leased"]);
});

test("a transport's duplicate, late or contradictory reports are applied once", async () => {
  const call = await room.place(shop);
  await run();
  answer();
  ringing();
  answer();
  hand.dialed[0]?.handlers.digit("1", ctx.now());
  hand.dialed[0]?.handlers.digit("x", ctx.now());
  hand.dialed[0]?.handlers.ended({ ...completed, status: "busy" }, ctx.now());
  end();
  await room.quiet();
  await run();
  expect(await room.eventsOf(call)).toEqual(["queued", "initiated", "in_progress", "completed"]);
  expect(await room.find(call)).toMatchObject({ digits: "1", duration: 1 });
});

describe("a call that isn't placed in time", () => {
  test("expires, whether or not a worker checks it", async () => {
    const calls = [await room.place(shop, { expires_in: 60 }), await room.place(shop, { expires_in: 61 })];
    app.clock.advance(60_000);
    expect(await expireCalls(ctx)).toBe(1);
    app.clock.advance(1_000);
    await run();
    for (const call of calls)
      expect(await room.find(call)).toMatchObject({ status: "failed", error: { code: "expired" }, started_at: null });
    expect(hand.dialed).toEqual([]);
  });

  test("fails if its number was suppressed in the meantime", async () => {
    const call = await room.place(shop);
    await ctx.transact((tx) =>
      addSuppression(tx, ctx, { tenant: shop, channel: callChannel, address: call.to_number, reason: "manual", source_id: null }),
    );
    await run();
    expect(await room.find(call)).toMatchObject({ status: "failed", error: { code: "recipient_opted_out" } });
    await expect(room.place(shop)).rejects.toMatchObject({ code: "recipient_opted_out" });
  });
});

test("an answer that couldn't be recorded when it arrived is reported before the end", async () => {
  const call = await room.place(shop);
  const transact = ctx.transact;
  let isAway = false;
  const failing = { ...ctx, transact: ((work) => (isAway ? Promise.reject(new Error("away")) : transact(work))) as typeof transact };
  await caller.run(failing);
  await room.quiet();
  isAway = true;
  answer();
  end();
  await room.quiet();
  isAway = false;
  await caller.run(failing);
  expect(await room.eventsOf(call)).toEqual(["queued", "initiated", "in_progress", "completed"]);
});

test("an end that the database refuses is dropped individually: it holds up no other call, and its own call ends as lost", async () => {
  const [first, second] = [await room.place(shop), await room.place(shop)];
  await run();
  const place = hand.dialed.findIndex(({ call }) => call.call_id === first.id);
  hand.dialed[place]?.handlers.ended({ ...completed, status: "failed", sip_code: 10 ** 12 }, ctx.now());
  end(1 - place);
  const third = await room.place(shop);
  await run();
  expect(await states([first, second, third])).toEqual(["initiated leased", "failed done", "initiated leased"]);
  end(2);
  await run();
  app.clock.advance(50_000);
  await reviveCalls(ctx);
  expect(await room.find(first)).toMatchObject({ status: "failed", error: { code: "worker_lost" } });
});
