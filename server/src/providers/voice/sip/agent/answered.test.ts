import { readFile, unlink } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { MediaSession } from "../media/leg/media-session.ts";
import { Playback } from "../media/leg/playback.ts";
import { answeredCall, answersOf, usual } from "../testing/answered-call.ts";
import { correlation, decodeMuLaw, type ScriptedPeer } from "../testing/scripted-peer.ts";

/** Something that resembles nothing else: a tone whose pitch rises. */
const sweep = (samples: number) =>
  Int16Array.from({ length: samples }, (_, at) => Math.round(9_000 * Math.sin((2 * Math.PI * (300 + at / 40) * at) / 8_000)));
const soundOf = (peer: ScriptedPeer) =>
  peer.rtp.filter(({ bytes }) => ((bytes[1] ?? 0) & 0x7f) === 0).flatMap(({ bytes }) => [...bytes.subarray(12)].map(decodeMuLaw));

function say(media: MediaSession, samples: Int16Array): { result: string | null } {
  const playing: { result: string | null } = { result: null };
  const playback = new Playback({ low: () => undefined, done: (result) => void (playing.result = result) });
  playback.add(samples);
  playback.complete();
  media.play(playback);
  return playing;
}

describe("sound", () => {
  test("what is said arrives unchanged, a packet every 20 ms, and silence before and after it", async () => {
    const { world, peer, media } = await answeredCall();
    await world.pass(200);
    const speech = sweep(16_000);
    const playing = say(media, speech);
    await world.until(() => playing.result !== null);
    await world.pass(200);
    expect(correlation([...speech], soundOf(peer), 2_400)).toBeGreaterThan(0.99);
    const packets = peer.rtp.map(({ bytes, at }) => ({
      at,
      sequence: bytes.readUInt16BE(2),
      timestamp: bytes.readUInt32BE(4),
      marker: (bytes[1] ?? 0) > 127,
    }));
    const steps = packets
      .slice(1)
      .map((packet, index) => [
        packet.at - (packets[index]?.at ?? 0),
        packet.sequence - (packets[index]?.sequence ?? 0),
        packet.timestamp - (packets[index]?.timestamp ?? 0),
      ]);
    expect(new Set(steps.map(String))).toEqual(new Set(["20,1,160"]));
    expect(packets.filter(({ marker }) => marker)).toHaveLength(2);
    expect(
      peer.rtp
        .at(-1)
        ?.bytes.subarray(12)
        .every((byte) => byte === 0xff),
    ).toBe(true);
  });

  test("what is stopped ends immediately", async () => {
    const { world, media } = await answeredCall();
    const first = say(media, sweep(80_000));
    await world.pass(100);
    const second = say(media, sweep(800));
    await world.until(() => second.result !== null);
    expect([first.result, second.result]).toEqual(["stopped", "played"]);
  });

  test("both voices of a call are recorded in the right place, despite lost, late and swapped packets", async () => {
    const { world, peer, reports, media } = await answeredCall(usual, { record: "dual" });
    const theirs = sweep(24_000);
    const encoded = Buffer.from(theirs.map((sample) => nearestMuLaw(sample)));
    world.delivery = ({ from }) => (from.port !== 7_060 ? 0 : peer.rtp.length % 50 === 49 ? "lost" : (peer.rtp.length % 3) * 15);
    for (let at = 0; at < 150; at += 1) {
      peer.speak(encoded.subarray(at * 160, at * 160 + 160));
      if (at === 20) say(media, sweep(8_000));
      await world.pass(20);
    }
    await world.pass(200);
    reports.call.hangUp("caller");
    await expect.poll(() => reports.recordings.length).toBe(1);
    const recording = reports.recordings[0];
    expect(recording?.channels).toBe(2);
    const wav = await readFile(recording?.path ?? "");
    await unlink(recording?.path ?? "");
    const channel = (one: number) => [...wav.subarray(58)].filter((_, at) => at % 2 === one).map(decodeMuLaw);
    expect(correlation([...theirs], channel(1), 4_000)).toBeGreaterThan(0.95);
    expect(correlation([...sweep(8_000)], channel(0), 8_000)).toBeGreaterThan(0.99);
  });

  test("the first source is kept: a stranger's packets are neither heard nor answered", async () => {
    const { world, peer, reports, media } = await answeredCall();
    const frames: Int16Array[] = [];
    media.onFrames((frame) => void frames.push(frame));
    const strangersRtp: Buffer[] = [];
    const stranger = world.socket({ address: "10.6.6.6", port: 6_666 }, (bytes) => void strangersRtp.push(bytes));
    peer.speak(Buffer.alloc(160, 0xff));
    await world.pass(50);
    peer.speak(Buffer.from([1, 0x8a, 3, 32]), { type: 101, from: stranger });
    peer.speak(Buffer.alloc(160, 0x00), { from: stranger });
    await world.pass(300);
    expect([reports.digits, strangersRtp.length, frames.some((frame) => frame.some((sample) => sample !== 0))]).toEqual(["", 0, false]);
  });

  test("packets are sent to where the peer's come from, which behind NAT differs from what it says", async () => {
    const { world, peer } = await answeredCall();
    const arrived: Buffer[] = [];
    const translated = world.socket({ address: "10.0.0.99", port: 31_000 }, (bytes) => void arrived.push(bytes));
    peer.speak(Buffer.alloc(160, 0xff), { from: translated });
    await world.pass(200);
    expect(arrived.length).toBeGreaterThan(5);
  });

  test("a callee who sends nothing for 30 seconds is hung up on, and the call is completed", async () => {
    const { world, peer, reports } = await answeredCall();
    for (let second = 0; second < 40; second += 1) {
      peer.speak(Buffer.alloc(160, 0xff));
      await world.pass(1_000);
    }
    expect(reports.ends).toEqual([]);
    await world.pass(31_000);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "transport", reason: expect.stringContaining("30 seconds") }]);
    expect(peer.all("BYE")).toHaveLength(1);
  });

  test("a callee who only sends reports is still there, and a stranger's reports don't count", async () => {
    const { world, peer, reports } = await answeredCall();
    const [callee, stranger] = ["10.0.0.2", "10.6.6.6"].map((address) => world.socket({ address, port: 7_061 }, () => undefined));
    const port = Number(/m=audio (\d+)/.exec(peer.invite?.body ?? "")?.[1]) + 1;
    // A receiver report without a block.
    const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 9]);
    for (let times = 0; times < 12; times += 1) {
      callee?.send(report, { address: "10.0.0.1", port });
      await world.pass(5_000);
    }
    expect(reports.ends).toEqual([]);
    for (let times = 0; times < 7; times += 1) {
      stranger?.send(report, { address: "10.0.0.1", port });
      await world.pass(5_000);
    }
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "transport" }]);
  });

  test.each([
    ["cut to nothing", Buffer.alloc(0)],
    ["cut in its head", Buffer.alloc(7, 0x80)],
    ["longer than a second", Buffer.concat([Buffer.from([0x80, 0]), Buffer.alloc(60_000)])],
    ["all ones", Buffer.alloc(200, 0xff)],
  ])("a packet that is %s does no harm", async (_what, bytes) => {
    const { world, reports } = await answeredCall();
    const source = world.socket({ address: "10.0.0.2", port: 9_999 }, () => undefined);
    for (let port = 20_000; port < 21_000; port += 1) source.send(bytes, { address: "10.0.0.1", port });
    await world.pass(500);
    expect(reports.ends).toEqual([]);
  });
});

describe("digits", () => {
  test("of RFC 4733 count once each, however often they are sent", async () => {
    const { world, peer, reports } = await answeredCall();
    for (const [index, event] of [1, 2, 11].entries()) {
      for (let part = 1; part <= 5; part += 1) {
        peer.speak(Buffer.from([event, part > 3 ? 0x8a : 0x0a, 0, part * 40]), { type: 101, timestamp: 50_000 + index * 4_000 });
        await world.pass(20);
      }
    }
    expect(reports.digits).toBe("12#");
  });

  test("of SIP INFO and of sound are detected, and a press that arrives both ways is one", async () => {
    const { world, peer, reports } = await answeredCall();
    peer.request("INFO", { seq: 1, body: "Signal=7\r\nDuration=160\r\n", type: "application/dtmf-relay" });
    await world.pass(2_000);
    const tone = (at: number) => 8_000 * (Math.sin((2 * Math.PI * 770 * at) / 8_000) + Math.sin((2 * Math.PI * 1_336 * at) / 8_000));
    for (let frame = 0; frame < 20; frame += 1) {
      peer.speak(Buffer.from(Array.from({ length: 160 }, (_, at) => nearestMuLaw(frame < 8 ? tone(frame * 160 + at) : 0))));
      await world.pass(20);
    }
    expect(reports.digits).toBe("75");
    expect(answersOf(peer, "INFO").map(({ first }) => first)).toEqual(["SIP/2.0 200 OK"]);
  });

  test("that are sent arrive as events with one time each, their end three times", async () => {
    const { world, peer, media } = await answeredCall();
    let isDone = false;
    media.dial("1w2", () => void (isDone = true));
    await world.until(() => isDone);
    await world.pass(100);
    const events = peer.rtp
      .filter(({ bytes }) => ((bytes[1] ?? 0) & 0x7f) === 101)
      .map(({ bytes }) => ({ time: bytes.readUInt32BE(4), event: bytes[12], isEnd: (bytes[13] ?? 0) > 127 }));
    expect(new Set(events.map(({ time }) => time)).size).toBe(2);
    expect([...new Set(events.map(({ event }) => event))]).toEqual([1, 2]);
    expect(events.filter(({ isEnd }) => isEnd)).toHaveLength(6);
  });

  test("that are sent to a peer without events are sound", async () => {
    const { world, peer, media } = await answeredCall((message, at) => {
      if (message.method === "INVITE") at.reply(message, "200 OK", { body: at.sdp.replaceAll(/ 101|a=rtpmap.*\r\n/g, "") });
    });
    let isDone = false;
    media.dial("5", () => void (isDone = true));
    await world.until(() => isDone);
    expect(soundOf(peer).some((sample) => Math.abs(sample) > 8_000)).toBe(true);
  });
});

/** The μ-law byte whose value is nearest, found by trying all. */
const nearest = new Map<number, number>();
function nearestMuLaw(sample: number): number {
  const rounded = Math.round(sample / 16) * 16;
  const known = nearest.get(rounded);
  if (known !== undefined) return known;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).sort(
    (one, other) => Math.abs(decodeMuLaw(one) - rounded) - Math.abs(decodeMuLaw(other) - rounded),
  );
  nearest.set(rounded, bytes[0] ?? 0xff);
  return bytes[0] ?? 0xff;
}
