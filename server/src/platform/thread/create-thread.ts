import { Worker } from "node:worker_threads";

interface Job<In, Out> {
  input: In;
  resolve(result: Out): void;
  reject(error: Error): void;
}

/** What the program of a thread answers to each message. */
type ThreadAnswer<Out> = { result: Out } | { fault: string };

interface ThreadOptions<In> {
  program: URL;
  /** What it does, for the words of a fault: "composes large messages". */
  does: string;
  /** Memory that a job hands over instead of copying; it is empty here afterwards. */
  handOver?(input: In): ArrayBuffer[];
}

const idleMs = 30_000;

/** A thread beside this one for work that would hold up everybody: one job at a time, in order. It starts with the first job and ends when there was none for a while. */
export function createThread<In, Out>(options: ThreadOptions<In>): (input: In) => Promise<Out> {
  const line = new Line<In, Out>(options);
  return (input) => new Promise((resolve, reject) => line.add({ input, resolve, reject }));
}

class Line<In, Out> {
  private readonly options: ThreadOptions<In>;
  private readonly waiting: Job<In, Out>[] = [];
  private thread: Worker | null = null;
  private current: Job<In, Out> | null = null;
  private idling: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions<In>) {
    this.options = options;
  }

  add(job: Job<In, Out>): void {
    this.waiting.push(job);
    this.next();
  }

  private next(): void {
    if (this.current !== null) return;
    const job = this.waiting.shift();
    if (job === undefined) return this.rest();
    clearTimeout(this.idling);
    this.thread ??= this.start();
    this.current = job;
    this.thread.ref();
    try {
      this.thread.postMessage(job.input, this.options.handOver?.(job.input) ?? []);
    } catch (error) {
      this.done((open) => open.reject(error as Error));
    }
  }

  /** Nothing to do: the thread keeps no process alive, and soon goes. */
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
    const { program, does } = this.options;
    const started = new Worker(program, { env: {}, execArgv: ["--disable-warning=ExperimentalWarning"] });
    started.on("message", (said: ThreadAnswer<Out>) => this.done((job) => ("result" in said ? job.resolve(said.result) : job.reject(new Error(said.fault)))));
    const onLost = (reason: unknown) => {
      if (this.thread !== started) return;
      this.thread = null;
      this.done((job) => job.reject(new Error(`the thread that ${does} was lost: ${String(reason)}`)));
    };
    started.on("error", onLost);
    started.on("exit", onLost);
    return started;
  }

  private done(tell: (job: Job<In, Out>) => void): void {
    const job = this.current;
    this.current = null;
    if (job !== null) tell(job);
    this.next();
  }
}
