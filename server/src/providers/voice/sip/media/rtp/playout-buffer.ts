import { frameSamples } from "../codec/g711.ts";
import { timestampDistance } from "./rtp-packet.ts";

/** The most samples that may wait: more than any jitter, and a limit on what a peer can make us store. */
const capacity = 16_384;
const delaySamples = 3 * frameSamples;
/** A stream whose packets are this far from the playback position has restarted. */
const jumpSamples = capacity - 8 * frameSamples;
const lateInRow = 5;
const slackSamples = 12 * frameSamples;

/** Reorders late, duplicate and out-of-order packets by RTP timestamps, and plays one frame every 20 ms. */
export class PlayoutBuffer {
  /** Zero, which is silence, where nothing is waiting. */
  private readonly samples = new Int16Array(capacity);
  /** Timestamp of the next sample to play; null before the first packet. */
  private head: number | null = null;
  /** The timestamp after the newest sample. */
  private end = 0;
  private late = 0;

  put(timestamp: number, frame: Int16Array): void {
    if (frame.length === 0 || frame.length > jumpSamples / 2) return;
    const distance = this.head === null ? 0 : timestampDistance(timestamp, this.head);
    if (this.head === null || Math.abs(distance) > jumpSamples) return this.begin(timestamp, frame);
    if (distance < 0) {
      this.late += 1;
      // A late packet is lost; if all are late, the clocks differ and playback is delayed to match.
      return this.late >= lateInRow ? this.begin(timestamp, frame) : undefined;
    }
    if (distance + frame.length > capacity) return;
    this.late = 0;
    this.write(timestamp, frame);
  }

  private begin(timestamp: number, frame: Int16Array): void {
    this.samples.fill(0);
    this.late = 0;
    this.head = (timestamp - delaySamples) >>> 0;
    this.end = timestamp;
    this.write(timestamp, frame);
  }

  private write(timestamp: number, frame: Int16Array): void {
    const place = timestamp % capacity;
    const first = Math.min(frame.length, capacity - place);
    this.samples.set(frame.subarray(0, first), place);
    this.samples.set(frame.subarray(first), 0);
    const end = (timestamp + frame.length) >>> 0;
    if (timestampDistance(end, this.end) > 0) this.end = end;
  }

  /** Returns the next 20 ms; what didn't arrive in time is silence. null before anything arrived. */
  take(): Int16Array | null {
    if (this.head === null) return null;
    // A peer with a faster clock would make the delay grow, so a frame is skipped.
    if (timestampDistance(this.end, this.head) > slackSamples + delaySamples) this.pull();
    return this.pull();
  }

  private pull(): Int16Array {
    const head = this.head ?? 0;
    const frame = new Int16Array(frameSamples);
    const place = head % capacity;
    const first = this.samples.subarray(place, place + frameSamples);
    const rest = this.samples.subarray(0, frameSamples - first.length);
    frame.set(first);
    frame.set(rest, first.length);
    first.fill(0);
    rest.fill(0);
    this.head = (head + frameSamples) >>> 0;
    return frame;
  }
}
