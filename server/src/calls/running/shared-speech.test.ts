import { expect, test } from "vitest";
import { limitConcurrency } from "#messaging/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, handTransport, heldLeg } from "#test/support/messages/calls.ts";
import type { Speech } from "../speech.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;

/** An engine that speaks two texts at once, each until it is told to end. */
function heldEngine() {
  const [spoken, slots] = [[] as string[], limitConcurrency(2)];
  const open: (() => void)[] = [];
  const speech: Speech = {
    name: "held",
    atOnce: 2,
    speak: (text) =>
      slots(async () => {
        spoken.push(text);
        await new Promise<void>((resolve) => open.push(resolve));
        return Buffer.alloc(320);
      }),
  };
  return { speech, spoken, end: () => open.shift()?.() };
}

const prompts = Array.from({ length: 20 }, (_none, place) => `Prompt ${place}`);
const gathers = prompts.map((text, place) => ({ verb: "gather", name: `g${place}`, num_digits: 1, actions: [{ verb: "say", text }] }));

test("a call that interrupts one prompt after the other leaves the engine to other projects, and what it doesn't need isn't spoken", async () => {
  const engine = heldEngine();
  const hand = handTransport(ctx);
  const caller = room.process({ routes: { test: { transport: hand, speech: engine.speech } } });
  const answer = async (place: number) => {
    await caller.run(ctx);
    await room.quiet();
    hand.dialed[place]?.handlers.answered(ctx.now(), heldLeg);
    await room.quiet();
  };
  await room.place(await app.tenant(), { actions: gathers });
  await answer(0);
  for (const _gather of prompts.slice(1)) {
    hand.dialed[0]?.handlers.digit("1", ctx.now());
    await room.quiet();
  }
  expect(engine.spoken).toEqual(prompts.slice(0, 2));
  await room.place(await app.tenant(), { text: "Your code is 4 2." });
  await answer(1);
  engine.end();
  await room.quiet();
  expect(engine.spoken).toEqual([...prompts.slice(0, 2), "Your code is 4 2."]);
  for (let ended = 0; ended < prompts.length; ended += 1) {
    engine.end();
    await room.quiet();
  }
  expect(engine.spoken.slice(3)).toEqual(prompts.slice(-1));
  for (const { handlers } of hand.dialed) handlers.ended(completed, ctx.now());
  await room.quiet();
  await caller.run(ctx);
});
