import { describe, expect, test } from "vitest";
import { carry } from "#test/support/smpp/carried.ts";
import { startReplay } from "#test/support/smpp/replay-smsc.ts";
import { scenarios } from "#test/support/smpp/scenarios.ts";
import { readTranscript } from "#test/support/smpp/transcript.ts";
import { eventually } from "#test/support/time/eventually.ts";

describe("what was exchanged with a carrier built on Net::SMPP is exchanged the same way again, byte for byte", () => {
  test.each(scenarios)("$name", async ({ name, limits, play }) => {
    const carrier = await startReplay(readTranscript(new URL(`transcripts/${name}.txt`, import.meta.url)));
    const carried = carry(`smpp://tillpost:s3cr3t@127.0.0.1:${carrier.port}?name=main&tps=10000`, limits);
    try {
      await carried.up();
      await play(carried);
    } finally {
      await carried.transport.close();
    }
    await eventually("all of the record has happened", () => carrier.left().length === 0);
    expect(carrier.unexpected).toEqual([]);
    await carrier.stop();
  });
});
