import type { CallLeg } from "#calls/index.ts";
import type { Recording } from "../media/record/wav-recorder.ts";
import type { Command, Report } from "./messages.ts";

/** Samples passed at once: one second. */
const pieceSamples = 8_000;

type LegReport = Extract<Report, { type: "low" | "done" | "heard" }>;
interface Task {
  low(): void;
  done(result: "played" | "stopped"): void;
}

/** An answered call as the serving thread sees it. */
export class ThreadedLeg implements CallLeg {
  private readonly id: number;
  private readonly post: (command: Command) => void;
  private readonly tasks = new Map<number, Task>();
  private readonly listeners = new Set<(pcm: Buffer) => void>();
  private readonly finished = Promise.withResolvers<Recording | null>();
  private next = 1;
  private isOver = false;

  constructor(id: number, post: (command: Command) => void) {
    this.id = id;
    this.post = post;
  }

  take(report: LegReport): void {
    if (report.type === "heard") {
      const pcm = bytesOf(report.frame);
      for (const listener of this.listeners) listener(pcm);
    } else if (report.type === "low") this.tasks.get(report.task)?.low();
    else this.tasks.get(report.task)?.done(report.result);
  }

  play(pcm: Buffer | AsyncIterable<Buffer>, signal: AbortSignal): Promise<"played" | "stopped"> {
    const pieces = Buffer.isBuffer(pcm) ? piecesOf(pcm) : pcm;
    const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : asyncOf(pieces);
    const feed = { isBusy: false, isEnded: false };
    return this.run(signal, (task) => {
      this.post({ do: "play", id: this.id, task });
      return () => void this.feed(task, iterator, feed);
    }).finally(() => void iterator.return?.().catch(() => undefined));
  }

  /** Passes the next piece whenever less than a second of speech is left; nothing is read ahead of demand. */
  private async feed(task: number, iterator: AsyncIterator<Buffer>, feed: { isBusy: boolean; isEnded: boolean }): Promise<void> {
    if (feed.isBusy || feed.isEnded) return;
    feed.isBusy = true;
    const next = await iterator.next().catch(() => ({ done: true as const, value: undefined }));
    feed.isBusy = false;
    if (!this.tasks.has(task)) return;
    feed.isEnded = next.done === true;
    if (next.done === true) return this.post({ do: "pcmEnd", id: this.id, task });
    const samples = samplesOf(next.value);
    if (samples.length === 0) return this.feed(task, iterator, feed);
    this.post({ do: "pcm", id: this.id, task, samples });
  }

  async sendDigits(digits: string, signal: AbortSignal): Promise<void> {
    await this.run(signal, (task) => {
      this.post({ do: "digits", id: this.id, task, digits });
      return () => {};
    });
  }

  private run(signal: AbortSignal, begin: (task: number) => () => void): Promise<"played" | "stopped"> {
    if (this.isOver || signal.aborted) return Promise.resolve("stopped");
    const task = this.next++;
    return new Promise((resolve) => {
      const stop = () => this.post({ do: "stop", id: this.id, task });
      const done = (result: "played" | "stopped") => {
        signal.removeEventListener("abort", stop);
        this.tasks.delete(task);
        resolve(result);
      };
      this.tasks.set(task, { low: () => {}, done });
      signal.addEventListener("abort", stop, { once: true });
      const low = begin(task);
      this.tasks.set(task, { low, done });
      low();
    });
  }

  onAudio(listener: (pcm: Buffer) => void): () => void {
    this.listeners.add(listener);
    if (this.listeners.size === 1) this.post({ do: "hear", id: this.id, isOn: true });
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.post({ do: "hear", id: this.id, isOn: false });
    };
  }

  async recording(): ReturnType<CallLeg["recording"]> {
    const done = await this.finished.promise;
    return done === null ? null : { wav: done.path, channels: done.channels, durationMs: done.durationMs };
  }

  hangUp(): void {
    if (!this.isOver) this.post({ do: "hangUp", id: this.id, by: "caller" });
  }

  /** The call is over: nothing is said or heard any more. */
  ended(): void {
    this.isOver = true;
    this.listeners.clear();
    for (const task of [...this.tasks.values()]) task.done("stopped");
  }

  recorded(recording: Recording | null): void {
    this.finished.resolve(recording);
  }
}

function* piecesOf(pcm: Buffer): Generator<Buffer> {
  for (let at = 0; at < pcm.length; at += pieceSamples * 2) yield pcm.subarray(at, at + pieceSamples * 2);
}

async function* asyncOf(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** Copies samples into a transferable buffer. */
function samplesOf(pcm: Buffer): Int16Array {
  const samples = new Int16Array(pcm.length >> 1);
  for (let at = 0; at < samples.length; at += 1) samples[at] = pcm.readInt16LE(at * 2);
  return samples;
}

function bytesOf(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(samples.length * 2);
  for (let at = 0; at < samples.length; at += 1) bytes.writeInt16LE(samples[at] ?? 0, at * 2);
  return bytes;
}
