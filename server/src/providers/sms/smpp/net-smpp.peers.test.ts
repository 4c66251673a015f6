import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { carry, patient, sms } from "#test/support/smpp/carried.ts";
import { startPerlSmsc } from "#test/support/smpp/perl-smsc.ts";
import { startRecorder } from "#test/support/smpp/record-smsc.ts";
import { scenarios } from "#test/support/smpp/scenarios.ts";
import { readTranscript, type Transcript, writeTranscript } from "#test/support/smpp/transcript.ts";
import { eventually } from "#test/support/time/eventually.ts";

const folder = new URL("transcripts/", import.meta.url);
const source = [
  "Recorded by net-smpp.peers.test.ts between Tillpost (<) and a carrier built on Net::SMPP 1.19,",
  "Debian 12's libnet-smpp-perl 1.19-3, which server/test/support/smpp/scripted-smsc.pl drives (>).",
  "Without this file, npm run test:peers -- net-smpp records it anew.",
].join("\n");

/** Each side's bytes in their order; which side was first at one moment is chance. */
const bySide = (connections: Transcript) =>
  connections.map((pdus) => [true, false].map((side) => pdus.filter(({ fromCarrier }) => fromCarrier === side).map(({ hex }) => hex)));

describe("with a carrier built on Net::SMPP", () => {
  test.each(scenarios)("$name, as recorded", async ({ name, plan, limits, play }) => {
    const carrier = await startPerlSmsc(plan);
    const recorder = await startRecorder(carrier.port);
    const carried = carry(`smpp://tillpost:s3cr3t@127.0.0.1:${recorder.port}?name=main&tps=10000`, limits);
    try {
      await carried.up();
      await play(carried);
    } finally {
      await carried.transport.close();
      await recorder.stop();
      await carrier.stop();
    }
    const file = new URL(`${name}.txt`, folder);
    if (!existsSync(file)) writeFileSync(file, writeTranscript(source, recorder.connections));
    expect(bySide(recorder.connections)).toEqual(bySide(readTranscript(file)));
  });

  test("a half-open connection is closed, and the carrier is bound again", async () => {
    const carrier = await startPerlSmsc({
      submit: { "15551230001": [[{ deaf: 1 }]], "15551230002": [[{ resp: { message_id: "back" } }]] },
    });
    const carried = carry(`smpp://tillpost:s3cr3t@127.0.0.1:${carrier.port}?name=main`, { enquireMs: 100 });
    try {
      await carried.up();
      expect(await carried.transport.send(sms("+15551230001", "Hi"), patient)).toMatchObject({ result: "unknown" });
      await eventually("the carrier was bound again", () => carried.changes.filter((one) => one === "main up").length === 2);
      expect(await carried.transport.send(sms("+15551230002", "Hi"), patient)).toMatchObject({
        result: "accepted",
        sent: [{ provider_message_id: "back" }],
      });
      expect(carried.changes).toContain("main down: 2 enquire_links went unanswered");
      expect(carrier.events.filter(({ event, status }) => event === "submit_sm" && status === 0)).toHaveLength(2);
    } finally {
      await carried.transport.close();
      await carrier.stop();
    }
  });
});
