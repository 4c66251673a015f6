import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { callRoom, handTransport, heldLeg } from "#test/support/messages/calls.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { wavOf } from "../audio/write-wav.ts";
import { silentSpeech } from "../simulator/create-simulator.ts";
import type { CallLeg } from "../transport.ts";

test("calls that play the same audio hold it once, and each plays its own", async () => {
  const app = await testApp({ egress: await localEgress() });
  const room = callRoom(app);
  const shop = await app.tenant();
  const server = await receiver((one, response) =>
    response.writeHead(200, { "content-type": "audio/wav" }).end(wavOf(Buffer.alloc(8_000, one.path === "/other.wav" ? 0x33 : 0x55))),
  );
  const hand = handTransport(room.ctx);
  const caller = room.process({ routes: { test: { transport: hand, speech: silentSpeech } } });
  for (const path of ["/same.wav", "/same.wav?again", "/other.wav"]) await room.place(shop, { audio_url: `${server.url}${path}` });
  await caller.run(room.ctx);
  await room.quiet();
  const played: unknown[] = [];
  const leg: CallLeg = {
    ...heldLeg,
    play(pcm, signal) {
      played.push(pcm);
      return heldLeg.play(pcm, signal);
    },
  };
  for (const { handlers } of hand.dialed) handlers.answered(room.ctx.now(), leg);
  await eventually("each plays", () => played.length === 3);
  expect([played.every(Buffer.isBuffer), new Set(played).size]).toEqual([true, 2]);
  await caller.finish(room.ctx);
});
