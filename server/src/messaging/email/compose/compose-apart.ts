import { Worker } from "node:worker_threads";
import type { ComposeParts } from "./compose-email.ts";

interface Job {
  parts: ComposeParts;
  resolve(raw: Buffer): void;
  reject(error: Error): void;
}

type Answer = { raw: Uint8Array } | { fault: string };

const idleMs = 30_000;
const waiting: Job[] = [];
let thread: Worker | null = null;
let current: Job | null = null;
let idling: NodeJS.Timeout | undefined;

/**
 * As `composeEmail`, in a thread beside this one: encoding and hashing 25 MB takes most of a second, in which this process would answer nobody. One message
 * at a time; the thread ends when there was none for a while. Takes the attachments' bytes over: they are empty here afterwards.
 */
export function composeApart(parts: ComposeParts): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    waiting.push({ parts, resolve, reject });
    next();
  });
}

function next(): void {
  if (current !== null) return;
  const job = waiting.shift();
  if (job === undefined) return rest();
  clearTimeout(idling);
  thread ??= startThread();
  current = job;
  thread.ref();
  try {
    thread.postMessage(job.parts, wholeBuffersOf(job.parts));
  } catch (error) {
    done((open) => open.reject(error as Error));
  }
}

/** Memory that can be handed over; a part of a larger one, which others use as well, is copied. */
function wholeBuffersOf({ attachments }: ComposeParts): ArrayBuffer[] {
  const whole = attachments.map(({ content }) => content).filter(({ buffer, byteLength }) => byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}

/** Nothing to do: the thread keeps no process alive, and soon goes. */
function rest(): void {
  thread?.unref();
  clearTimeout(idling);
  idling = setTimeout(() => {
    const idle = thread;
    thread = null;
    void idle?.terminate();
  }, idleMs).unref();
}

function startThread(): Worker {
  const started = new Worker(new URL("./compose-thread.ts", import.meta.url), { env: {}, execArgv: ["--disable-warning=ExperimentalWarning"] });
  started.on("message", (said: Answer) => done((job) => ("raw" in said ? job.resolve(bufferOn(said.raw)) : job.reject(new Error(said.fault)))));
  const onLost = (reason: unknown) => {
    if (thread !== started) return;
    thread = null;
    done((job) => job.reject(new Error(`the thread that composes large messages was lost: ${String(reason)}`)));
  };
  started.on("error", onLost);
  started.on("exit", onLost);
  return started;
}

function done(tell: (job: Job) => void): void {
  const job = current;
  current = null;
  if (job !== null) tell(job);
  next();
}

function bufferOn({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
