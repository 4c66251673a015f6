import { describe, expect, test } from "vitest";
import { decodeMuLaw } from "../testing/scripted-peer.ts";
import { SimulatedWorld } from "../testing/simulated-world.ts";
import { decodeG711, encodeG711, frameSamples } from "./codec/g711.ts";
import { DigitReader, digitFrames } from "./dtmf/digit-events.ts";
import { DigitMerger, readInfoDigit } from "./dtmf/digit-merger.ts";
import { ToneDetector, toneFrame } from "./dtmf/tones.ts";
import { Playback } from "./leg/playback.ts";
import { PlayoutBuffer } from "./rtp/playout-buffer.ts";
import { newRtp, readRtp } from "./rtp/rtp-packet.ts";
import { deriveKeys, SrtpReceiver, SrtpSender } from "./rtp/srtp.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const frameOf = (value: number) => new Int16Array(frameSamples).fill(value);

describe("codecs", () => {
  test("μ-law is what ITU-T G.711 tabulates", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect([...decodeG711("PCMU", bytes)]).toEqual([...bytes].map((byte) => decodeMuLaw(byte) + 0));
  });

  // Points of ITU-T G.711 table 1a, as 16-bit samples: the first and last of segments, with the even bits inverted.
  test.each([
    [0xd5, 8],
    [0x55, -8],
    [0xaa, 32_256],
    [0x2a, -32_256],
    [0x80, 5_504],
    [0xc5, 264],
  ])("A-law %i is %i", (byte, sample) => {
    expect(decodeG711("PCMA", Uint8Array.of(byte))[0]).toBe(sample);
  });

  test.each(["PCMU", "PCMA"] as const)("%s loses no more than its step size", (codec) => {
    const samples = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768);
    const bytes = new Uint8Array(samples.length);
    encodeG711(codec, samples, { bytes, offset: 0 });
    const worst = Math.max(
      ...Array.from(
        decodeG711(codec, bytes),
        (decoded, at) => Math.abs(decoded - (samples[at] ?? 0)) / Math.max(256, Math.abs(samples[at] ?? 0)),
      ),
    );
    expect(worst).toBeLessThan(0.05);
  });
});

describe("SRTP", () => {
  test("keys are derived as in RFC 3711 B.3", () => {
    const keys = deriveKeys(hex("E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6"), 0);
    expect(keys).toEqual({
      cipher: hex("C61E7A93744F39EE10734AFE3FF7A087"),
      salt: hex("30CBBC08863D8C85D49DB34A9AE1"),
      auth: hex("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4"),
    });
  });

  const master = Buffer.alloc(30, 7);
  const packet = (sequence: number) =>
    Buffer.concat([newRtp({ type: 0, marker: false, sequence, timestamp: 1, ssrc: 9 }, 0), Buffer.from("hello")]);

  test("a stream is decrypted, across the end of the sequence numbers and with gaps and swaps", () => {
    const sender = new SrtpSender(master);
    const receiver = new SrtpReceiver(master);
    const sealed = [65_533, 65_534, 65_535, 0, 1, 2].map((sequence) => sender.protect(packet(sequence)));
    expect(sealed.every((one) => !one.includes("hello"))).toBe(true);
    const order = [0, 2, 1, 4, 3, 5].map((at) => sealed[at] ?? Buffer.alloc(0));
    expect(order.map((one) => receiver.open(one)?.toString("latin1", 12))).toEqual(Array(6).fill("hello"));
  });

  test.each([
    ["repeated", (sealed: Buffer) => sealed, true],
    ["changed", (sealed: Buffer) => sealed.fill(0, 14, 15), false],
    ["cut", (sealed: Buffer) => sealed.subarray(0, 20), false],
    ["not sealed", () => packet(5), false],
    ["sealed with another key", () => new SrtpSender(Buffer.alloc(30, 8)).protect(packet(5)), false],
  ])("a packet that is %s isn't accepted", (_what, change, isFirstSent) => {
    const receiver = new SrtpReceiver(master);
    const sealed = new SrtpSender(master).protect(packet(5));
    if (isFirstSent) receiver.open(Buffer.from(sealed));
    expect(receiver.open(change(Buffer.from(sealed)))).toBeNull();
  });
});

test.each([
  ["too short", Buffer.alloc(11, 0x80)],
  ["another version", Buffer.alloc(20, 0x40)],
  ["more sources than bytes", Buffer.concat([Buffer.from([0x8f]), Buffer.alloc(20)])],
  ["an extension beyond its end", Buffer.concat([Buffer.from([0x90]), Buffer.alloc(13), Buffer.from([0xff, 0xff])])],
  ["padding beyond its start", Buffer.concat([Buffer.from([0xa0]), Buffer.alloc(12), Buffer.from([200])])],
])("what is %s isn't RTP", (_what, bytes) => {
  expect(readRtp(bytes)).toBeNull();
});

describe("playback", () => {
  const play = (order: readonly number[], frames: number) => {
    const buffer = new PlayoutBuffer();
    for (const at of order) buffer.put((4_294_967_000 + at * frameSamples) >>> 0, frameOf(at + 1));
    return Array.from({ length: frames }, () => buffer.take()?.[0]);
  };

  test("what arrives out of order or twice is played in order, once, across the end of the timestamps", () => {
    expect(play([0, 2, 1, 1, 4, 3], 8)).toEqual([0, 0, 0, 1, 2, 3, 4, 5]);
  });

  test("what never arrives is silence of the same length", () => {
    expect(play([0, 3], 7)).toEqual([0, 0, 0, 1, 0, 0, 4]);
  });

  test("a stream that restarts elsewhere is followed", () => {
    const buffer = new PlayoutBuffer();
    buffer.put(0, frameOf(1));
    buffer.put(2_000_000_000, frameOf(2));
    expect(Array.from({ length: 4 }, () => buffer.take()?.[0])).toEqual([0, 0, 0, 2]);
  });

  test("a stream that is permanently late is waited for", () => {
    const buffer = new PlayoutBuffer();
    const detected: (number | undefined)[] = [];
    buffer.put(0, frameOf(1));
    for (let at = 0; at < 20; at += 1) buffer.take();
    for (let at = 1; at <= 20; at += 1) {
      buffer.put(at * frameSamples, frameOf(9));
      detected.push(buffer.take()?.[0]);
    }
    expect(detected.filter((value) => value === 9).length).toBeGreaterThan(8);
  });

  test("a peer that sends more than it should makes no buffer grow", () => {
    const buffer = new PlayoutBuffer();
    for (let at = 0; at < 100_000; at += 1) buffer.put((at * frameSamples) >>> 0, frameOf(1));
    buffer.put(0, new Int16Array(60_000));
    expect(buffer.take()).toHaveLength(frameSamples);
  });
});

describe("digits", () => {
  test("a press is one digit, however its packets arrive", () => {
    const reader = new DigitReader();
    const packet = (timestamp: number, event: number) => ({ timestamp, payload: Buffer.from([event, 10, 0, 160]) });
    const received = [
      packet(1_000, 1),
      packet(1_000, 1),
      packet(3_000, 2),
      packet(1_000, 1),
      packet(3_000, 2),
      packet(5_000, 2),
      packet(7_000, 16),
      { timestamp: 9_000, payload: Buffer.from([3]) },
    ];
    expect(received.map((one) => reader.take(one)).filter((digit) => digit !== null)).toEqual(["1", "2", "2"]);
  });

  test("a press that is sent has one marker, one end sent three times, and a pause after it", () => {
    const frames = [...digitFrames("5xw")];
    expect(frames.filter((one) => one.kind === "event" && one.marker)).toHaveLength(1);
    expect(frames.filter((one) => one.kind === "end")).toMatchObject([{ repeats: 3 }]);
    expect(frames.filter((one) => one.kind === "gap")).toHaveLength(4 + 25);
  });

  const samplesOf = (digits: string) =>
    [...digits].flatMap((digit) => [
      ...Array.from({ length: 5 }, (_, at) => toneFrame(digit, at * frameSamples)),
      ...Array.from({ length: 5 }, () => frameOf(0)),
    ]);

  test("every digit of the keypad is detected as sound, also after a codec, and each press once", () => {
    const detector = new ToneDetector();
    const detected = samplesOf("123A456B789C*0#D11").flatMap((frame) => {
      const bytes = new Uint8Array(frame.length);
      encodeG711("PCMU", frame, { bytes, offset: 0 });
      return detector.take(decodeG711("PCMU", bytes));
    });
    expect(detected.join("")).toBe("123A456B789C*0#D11");
  });

  test("neither noise, silence, a single tone nor vowels are digits", () => {
    const detector = new ToneDetector();
    let state = 1;
    const noise = () => (state = (state * 48_271) % 2_147_483_647) / 65_536 - 16_384;
    const vowel = (at: number) =>
      [1, 2, 3, 4, 5, 6].reduce((sum, part) => sum + (5_000 / part) * Math.sin((2 * Math.PI * 140 * part * at) / 8_000), 0);
    const tone = (at: number) => 10_000 * Math.sin((2 * Math.PI * 770 * at) / 8_000);
    for (const make of [noise, () => 0, vowel, tone]) {
      for (let frame = 0; frame < 200; frame += 1) {
        expect(detector.take(Int16Array.from({ length: frameSamples }, (_, at) => make(frame * frameSamples + at)))).toEqual([]);
      }
    }
  });

  test("three sources of one press are one digit; the same digit pressed again is another", async () => {
    const world = new SimulatedWorld();
    const merger = new DigitMerger(world);
    const taken = (["event", "info", "tone", "event"] as const).map((source) => merger.take("1", source));
    expect(taken).toEqual([true, false, false, true]);
  });

  test("a flood of digits is limited to what a person can press", () => {
    const merger = new DigitMerger(new SimulatedWorld());
    expect(Array.from({ length: 1_000 }, () => merger.take("1", "event")).filter((isTaken) => isTaken)).toHaveLength(25);
  });

  test.each([
    ["application/dtmf-relay", "Signal=5\r\nDuration=160\r\n", "5"],
    ["application/dtmf-relay; charset=utf-8", "Duration= 100\r\nSignal= #", "#"],
    ["application/dtmf-relay", "Signal=10", "*"],
    ["application/dtmf", " d ", "D"],
    ["application/dtmf", "11", "#"],
    ["application/dtmf", "12", null],
    ["application/dtmf-relay", "Signal=", null],
    ["text/plain", "5", null],
  ])("INFO of %s with %j is %j", (type, body, digit) => {
    expect(readInfoDigit(type, Buffer.from(body))).toBe(digit);
  });
});

test("speech is sent 20 ms at a time, requests more in time, and ends once", () => {
  const events: string[] = [];
  const playback = new Playback({ low: () => void events.push("low"), done: (result) => void events.push(result) });
  expect(playback.take()).toBeNull();
  playback.add(frameOf(1).subarray(0, 100));
  playback.add(frameOf(2));
  expect(playback.take()).toEqual(Int16Array.from([...Array(100).fill(1), ...Array(60).fill(2)]));
  playback.complete();
  expect(playback.take()?.slice(99, 101)).toEqual(Int16Array.of(2, 0));
  playback.stop();
  expect(events.filter((one) => one !== "low")).toEqual(["played"]);
  expect(events[0]).toBe("low");
});
