import { describe, expect, test } from "vitest";
import { eventually } from "#test/eventually.ts";
import { carry } from "#test/smpp/carried.ts";
import { startReplay } from "#test/smpp/replay-smsc.ts";
import { scenarios } from "#test/smpp/scenarios.ts";
import { readTranscript } from "#test/smpp/transcript.ts";

describe("what went between us and a carrier built on Net::SMPP goes the same way again, byte for byte", () => {
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
