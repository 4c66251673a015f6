import { access, open, readFile, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decodeMuLaw } from "../../testing/scripted-peer.ts";
import { frameSamples } from "../codec/g711.ts";
import { WavRecorder } from "./wav-recorder.ts";

const frameOf = (value: number) => new Int16Array(frameSamples).fill(value);

describe("recordings", () => {
  test.each([
    ["mono", 1, [200, 300]],
    ["dual", 2, [100, 200, 300, 0]],
  ] as const)("%s contains both voices as μ-law, with their true length in its header", async (_what, channels, expected) => {
    const path = join(tmpdir(), `recorder-${process.pid}-${channels}.wav`);
    const recorder = new WavRecorder(path, channels);
    recorder.add(frameOf(100), frameOf(channels === 1 ? 100 : 200));
    for (let frame = 0; frame < 499; frame += 1) recorder.add(frameOf(300), frameOf(0));
    expect(await recorder.finish()).toEqual({ path, channels, durationMs: 10_000 });
    const wav = await readFile(path);
    await unlink(path);
    expect([wav.toString("latin1", 0, 4), wav.readUInt32LE(4), wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24)]).toEqual([
      "RIFF",
      wav.length - 8,
      7,
      channels,
      8_000,
    ]);
    expect([wav.toString("latin1", 50, 54), wav.readUInt32LE(54), wav.readUInt32LE(46)]).toEqual(["data", wav.length - 58, 80_000]);
    const at = (frame: number, channel: number) => decodeMuLaw(wav[58 + frame * frameSamples * channels + channel] ?? 0);
    const detected = [0, 1].flatMap((frame) => Array.from({ length: channels }, (_, channel) => at(frame, channel)));
    for (const [index, value] of expected.entries()) expect(Math.abs((detected[index] ?? 0) - value)).toBeLessThan(10);
  });

  test("a disk that is too slow ends the recording instead of filling the memory, and what was recorded can be played", async () => {
    const path = join(tmpdir(), `recorder-${process.pid}-slow.wav`);
    const recorder = new WavRecorder(path, 1);
    // All of it before the disk has its first turn.
    for (let frame = 0; frame < 20_000; frame += 1) recorder.add(frameOf(300), frameOf(0));
    const recording = await recorder.finish();
    const wav = await readFile(path);
    await unlink(path);
    expect([wav.length <= 1_100_000, wav.readUInt32LE(54)]).toEqual([true, wav.length - 58]);
    expect(recording?.durationMs).toBe(Math.round((wav.length - 58) / 8));
  });

  test("a disk that is full from the start means no recording, no file and no error", async () => {
    const path = join(tmpdir(), `recorder-${process.pid}-full.wav`);
    const recorder = new WavRecorder(path, 1, async () => {
      const file = await open(path, "wx");
      return { write: () => Promise.reject(new Error("ENOSPC")), close: () => file.close() };
    });
    for (let frame = 0; frame < 500; frame += 1) recorder.add(frameOf(300), frameOf(0));
    expect(await recorder.finish()).toBeNull();
    await expect(access(path)).rejects.toThrow("ENOENT");
  });

  test("a disk that becomes full ends the recording at the last sample of both sides that it took", async () => {
    const path = join(tmpdir(), `recorder-${process.pid}-partial.wav`);
    const recorder = new WavRecorder(path, 2, async () => {
      const file = await open(path, "wx");
      const roomFor = (length: number, at: number) => Math.max(0, Math.min(length, 58 + 20_001 - at));
      return { write: (bytes, offset, length, at) => file.write(bytes, offset, roomFor(length, at), at), close: () => file.close() };
    });
    for (let frame = 0; frame < 200; frame += 1) recorder.add(frameOf(300), frameOf(0));
    expect(await recorder.finish()).toEqual({ path, channels: 2, durationMs: 1_250 });
    const wav = await readFile(path);
    await unlink(path);
    expect([wav.readUInt32LE(46), wav.readUInt32LE(54), wav.length]).toEqual([10_000, 20_000, 58 + 20_001]);
  });

  test("a missing folder means no recording, and no fault", async () => {
    const recorder = new WavRecorder("/nowhere/at/all.wav", 1);
    recorder.add(frameOf(1), frameOf(1));
    expect(await recorder.finish()).toBeNull();
  });
});
