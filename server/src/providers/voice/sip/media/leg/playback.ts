import { frameSamples } from "../codec/g711.ts";

/** Below this many buffered samples, more are requested. */
const lowSamples = 8_000;

/** Speech in progress: samples arrive in pieces and leave 20 ms at a time. */
export class Playback {
  private readonly pieces: Int16Array[] = [];
  private readonly handlers: { low(): void; done(result: "played" | "stopped"): void };
  private first = 0;
  private waiting = 0;
  private isComplete = false;
  private isOver = false;
  private isLowReported = false;

  constructor(handlers: { low(): void; done(result: "played" | "stopped"): void }) {
    this.handlers = handlers;
  }

  get hasFrame(): boolean {
    return !this.isOver && (this.waiting >= frameSamples || (this.isComplete && this.waiting > 0));
  }

  add(samples: Int16Array): void {
    if (this.isOver || samples.length === 0) return;
    this.pieces.push(samples);
    this.waiting += samples.length;
    this.isLowReported = false;
  }

  /** No more samples follow. */
  complete(): void {
    this.isComplete = true;
    if (this.waiting === 0) this.over("played");
  }

  stop(): void {
    this.over("stopped");
  }

  private over(result: "played" | "stopped"): void {
    if (this.isOver) return;
    this.isOver = true;
    this.pieces.length = 0;
    this.handlers.done(result);
  }

  /** Returns the next 20 ms, padded with silence at the end; null if there are none yet. */
  take(): Int16Array | null {
    if (!this.hasFrame) {
      this.ask();
      return null;
    }
    const frame = new Int16Array(frameSamples);
    let filled = 0;
    while (filled < frameSamples && this.pieces[0] !== undefined) {
      const piece = this.pieces[0];
      const part = piece.subarray(this.first, this.first + frameSamples - filled);
      frame.set(part, filled);
      filled += part.length;
      this.first += part.length;
      if (this.first < piece.length) continue;
      this.pieces.shift();
      this.first = 0;
    }
    this.waiting -= filled;
    if (this.isComplete && this.waiting === 0) this.over("played");
    else if (this.waiting < lowSamples) this.ask();
    return frame;
  }

  private ask(): void {
    if (this.isLowReported || this.isComplete || this.isOver) return;
    this.isLowReported = true;
    this.handlers.low();
  }
}
