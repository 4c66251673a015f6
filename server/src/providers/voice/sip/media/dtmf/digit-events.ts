import { frameSamples } from "../codec/g711.ts";
import { type RtpPacket, timestampDistance } from "../rtp/rtp-packet.ts";

/** Digits by their event number (RFC 4733 §3.2). */
export const digitNames = "0123456789*#ABCD";

const pressFrames = 5;
const gapFrames = 4;
const endRepeats = 3;
const volume = 10;

/** Reads digits from events. An event counts once, however often and in whatever order it's repeated. */
export class DigitReader {
  private last: number | null = null;

  take(packet: Pick<RtpPacket, "timestamp" | "payload">): string | null {
    const digit = digitNames[packet.payload.length < 4 ? -1 : (packet.payload[0] ?? -1)];
    if (digit === undefined) return null;
    if (this.last !== null && timestampDistance(packet.timestamp, this.last) <= 0) return null;
    this.last = packet.timestamp;
    return digit;
  }
}

/** What is sent in one 20 ms frame while digits are dialed. */
export type DigitFrame =
  | { kind: "event"; payload: Buffer; marker: boolean; isStart: boolean }
  | { kind: "tone"; digit: string }
  /** The end of an event, which is repeated: all repetitions in this frame. */
  | { kind: "end"; payload: Buffer; repeats: number }
  | { kind: "gap" };

/** The frames of a sequence of digits. `w` waits half a second, `W` one second; other characters are skipped. */
export function* digitFrames(digits: string): Generator<DigitFrame> {
  for (const char of digits) {
    const event = digitNames.indexOf(char.toUpperCase());
    if (char === "w" || char === "W") {
      for (let frame = 0; frame < (char === "w" ? 25 : 50); frame += 1) yield { kind: "gap" };
    } else if (event >= 0 && char !== "") {
      for (let frame = 0; frame < pressFrames; frame += 1) {
        yield { kind: "event", payload: eventPayload(event, frame + 1, false), marker: frame === 0, isStart: frame === 0 };
      }
      yield { kind: "end", payload: eventPayload(event, pressFrames + 1, true), repeats: endRepeats };
      for (let frame = 0; frame < gapFrames; frame += 1) yield { kind: "gap" };
    }
  }
}

/** The same as tones, for a peer that doesn't support events. */
export function* toneFrames(digits: string): Generator<DigitFrame> {
  for (const frame of digitFrames(digits)) {
    if ("payload" in frame) yield { kind: "tone", digit: digitNames[frame.payload[0] ?? 0] ?? "0" };
    else yield frame;
  }
}

function eventPayload(event: number, frames: number, isEnd: boolean): Buffer {
  const payload = Buffer.from([event, (isEnd ? 0x80 : 0) | volume, 0, 0]);
  payload.writeUInt16BE(frames * frameSamples, 2);
  return payload;
}
