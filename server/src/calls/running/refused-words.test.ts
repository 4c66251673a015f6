import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom, completed, handTransport } from "#test/support/messages/calls.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;

test("a call that a carrier refuses in words that can't be stored fails as refused, not as lost", async () => {
  const hand = handTransport(ctx);
  const caller = room.process({ routes: { test: { transport: hand, speech: silentSpeech } } });
  const call = await room.place(await app.tenant());
  await caller.run(ctx);
  await room.quiet();
  const message = `\u0000${"x".repeat(998)}😀`;
  hand.dialed[0]?.handlers.ended({ ...completed, status: "failed", error: { code: "carrier_rejected", message } }, ctx.now());
  await room.quiet();
  await caller.run(ctx);
  expect(await room.find(call)).toMatchObject({
    status: "failed",
    error: { code: "carrier_rejected", message: `\ufffd${"x".repeat(998)}\ufffd` },
  });
});
