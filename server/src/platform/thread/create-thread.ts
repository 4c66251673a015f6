import { Worker } from "node:worker_threads";
import { threadEnvironment } from "./thread-environment.ts";
import { type Over, watchLimit } from "./watch-limit.ts";

interface Job<In, Out> {
  input: In;
  resolve(result: Out): void;
  reject(error: Error): void;
}

/** The response of a thread's program to each message. */
type ThreadAnswer<Out> = { result: Out } | { fault: string };

interface ThreadOptions<In> {
  program: URL;
  /** The thread's work, for error messages: "composes large messages". */
  does: string;
  /** Memory that a job transfers instead of copying; it is empty here afterwards. */
  handOver?(input: In): ArrayBuffer[];
  /** Concurrent jobs, each in its own thread. */
  threads?: number;
  /** Processor time limit of one job. */
  limitMs?: number;
  /** Wall-clock limit, if any: its thread may wait more than it works. */
  timeoutMs?: number;
  /** Memory limit of one job. */
  limitMb?: number;
}

/** A job exceeded its time or memory limit. Its thread was ended; no other job was affected. */
export class JobOverLimit extends Error {}

const idleMs = 30_000;
const defaultTimeoutMs = 300_000;

/**
 * Threads for work that would block the serving thread: jobs in order, one at a time in each. They start with the first job and end after a
 * while without one.
 */
export function createThread<In, Out>(options: ThreadOptions<In>): (input: In) => Promise<Out> {
  const waiting: Job<In, Out>[] = [];
  const lines = Array.from({ length: options.threads ?? 1 }, () => new Line<In, Out>(options, waiting));
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      (lines.find((line) => line.isIdle) ?? lines[0])?.next();
    });
}

class Line<In, Out> {
  private readonly options: ThreadOptions<In>;
  private readonly waiting: Job<In, Out>[];
  private thread: Worker | null = null;
  private current: Job<In, Out> | null = null;
  private idling: NodeJS.Timeout | undefined;
  private unwatch = () => {};

  constructor(options: ThreadOptions<In>, waiting: Job<In, Out>[]) {
    this.options = options;
    this.waiting = waiting;
  }

  get isIdle(): boolean {
    return this.current === null;
  }

  next(): void {
    if (this.current !== null) return;
    const job = this.waiting.shift();
    if (job === undefined) return this.rest();
    clearTimeout(this.idling);
    const thread = (this.thread ??= this.start());
    this.current = job;
    thread.ref();
    try {
      thread.postMessage(job.input, this.options.handOver?.(job.input) ?? []);
    } catch (error) {
      return this.done((open) => open.reject(error as Error));
    }
    const { limitMs, timeoutMs = defaultTimeoutMs } = this.options;
    if (limitMs !== undefined)
      this.unwatch = watchLimit(thread, { limitMs, timeoutMs }, (over) => this.lose(thread, this.faultOf(over, limitMs)));
  }

  /** Nothing to do: the thread keeps no process alive, and ends soon. */
  private rest(): void {
    this.thread?.unref();
    clearTimeout(this.idling);
    this.idling = setTimeout(() => {
      const idle = this.thread;
      this.thread = null;
      void idle?.terminate();
    }, idleMs).unref();
  }

  private start(): Worker {
    const { program, limitMb } = this.options;
    const resourceLimits = limitMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: limitMb } };
    const started = new Worker(new URL("./thread-program.ts", import.meta.url), {
      workerData: { program: program.href },
      env: threadEnvironment(),
      execArgv: ["--disable-warning=ExperimentalWarning"],
      ...resourceLimits,
    });
    started.on("message", (message: ThreadAnswer<Out>) => {
      if (this.thread === started)
        this.done((job) => ("result" in message ? job.resolve(message.result) : job.reject(new Error(message.fault))));
    });
    started.on("error", (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      this.lose(
        started,
        isMemory ? new JobOverLimit(this.words(`took more than ${limitMb} MB`)) : new Error(this.words(`was lost: ${error.message}`)),
      );
    });
    started.on("exit", (code) => this.lose(started, new Error(this.words(`was lost: it ended with code ${code}`))));
    return started;
  }

  /** Ends a thread whatever it is doing. The next job gets a new one. */
  private lose(lost: Worker, error: Error): void {
    if (this.thread !== lost) return;
    this.thread = null;
    void lost.terminate();
    this.done((job) => job.reject(error));
  }

  private faultOf(over: Over, limitMs: number): Error {
    return over === "worked" ? new JobOverLimit(this.words(`took more than ${limitMs} ms`)) : new Error(this.words("waited for too long"));
  }

  private words(what: string): string {
    return `the thread that ${this.options.does} ${what}`;
  }

  private done(settle: (job: Job<In, Out>) => void): void {
    const job = this.current;
    this.current = null;
    this.unwatch();
    if (job !== null) settle(job);
    this.next();
  }
}
