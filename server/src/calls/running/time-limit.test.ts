import { beforeEach, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, type HandTransport, handTransport, heldLeg } from "#test/support/messages/calls.ts";
import { stepUntil } from "#test/support/time/eventually.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import type { Caller } from "./create-caller.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx, time } = room;

let shop: TestTenant;
let hand: HandTransport;
let caller: Caller;
beforeEach(async () => {
  shop = await app.tenant();
  hand = handTransport(ctx);
  caller = room.process({ routes: { test: { transport: hand, speech: silentSpeech } } });
});

async function run(): Promise<void> {
  await caller.run(ctx);
  await room.quiet();
}

test("a transport that never reports a call's end doesn't occupy its line indefinitely", async () => {
  hand.obeys = false;
  const call = await room.place(shop, { timeout: 5, time_limit: 10 });
  await run();
  hand.dialed[0]?.handlers.ringing(ctx.now());
  for (let steps = 0; steps < 1_000 && !time.isIdle(); steps += 1) {
    time.step();
    await run();
  }
  await run();
  expect(hand.dialed[0]?.hungUp).toEqual(["limit"]);
  expect(await room.find(call)).toMatchObject({ status: "failed", hangup_by: "transport", error: { code: "provider_error" } });
});

test("a call isn't ended before its time limit, however long it took until someone answered", async () => {
  const call = await room.place(shop, { timeout: 5, time_limit: 60 });
  await run();
  const passes = async (ms: number) => {
    let isPast = false;
    time.after(ms, () => void (isPast = true));
    const step = () => {
      time.step();
      return run();
    };
    await stepUntil(`${ms} ms have passed`, { holds: () => isPast, step });
  };
  await passes(120_000);
  hand.dialed[0]?.handlers.answered(ctx.now(), heldLeg);
  await passes(60_000);
  expect(hand.dialed[0]?.hungUp).toEqual([]);
  hand.dialed[0]?.handlers.ended(completed, ctx.now());
  await room.quiet();
  await run();
  expect(await room.find(call)).toMatchObject({ status: "completed", error: null, duration: 60 });
});
