import { setTimeout as sleep } from "node:timers/promises";
import { type Ctx, countPutOff, isUnavailable } from "#platform/index.ts";
import { type Task, tasksOf } from "./tasks.ts";

/** One run of a task. */
interface Run {
  seconds: number;
  done: number;
  failed: boolean;
  /** How many rows failed in this or an earlier run, and are tried again at growing intervals. */
  putOff: number;
}

/** Called after every run of a task, for metrics. */
export type Observe = (task: string, run: Run) => void;

export interface Workers {
  /** Lets running portions finish and starts no more. */
  stop(): Promise<void>;
}

const longestPauseMs = 30_000;
/** The longest pause while the database is unavailable: checking costs nothing then, and work should continue as soon as it is back. */
const longestAwayMs = 1_000;

/**
 * Runs every task in its own loop until stopped. A failing task is logged and tried again at growing intervals; it affects neither the
 * others nor the process.
 */
export function startWorkers(ctx: Ctx, observe: Observe = () => {}, list: readonly Task[] = tasksOf()): Workers {
  const ending = new AbortController();
  const loops = list.map((task) => loop({ ctx, task, observe, signal: ending.signal }));
  return {
    async stop() {
      ending.abort();
      await Promise.all(loops);
    },
  };
}

interface Loop {
  ctx: Ctx;
  task: Task;
  observe: Observe;
  signal: AbortSignal;
}

async function loop({ ctx, task, observe, signal }: Loop): Promise<void> {
  const bell = createBell(signal);
  const unlisten = task.listen?.(ctx, bell.ring);
  let failures = 0;
  while (!signal.aborted) {
    const start = performance.now();
    bell.silence();
    let isAway = false;
    const done = await task.run(ctx, signal).catch((error: unknown) => {
      if (!isUnavailable(error)) return fail(ctx, task, error);
      isAway = true;
      return failures === 0 ? fail(ctx, task, error) : null;
    });
    failures = done === null ? failures + 1 : 0;
    const seconds = (performance.now() - start) / 1000;
    observe(task.name, { seconds, done: done ?? 0, failed: done === null, putOff: countPutOff(ctx.db, task.name) });
    const waitMs = jittered(done === null ? pauseMs({ everyMs: task.everyMs, failures, isAway }) : task.everyMs);
    if (done === null) await pause(waitMs, signal);
    else if (done === 0) await bell.wait(waitMs);
    else await pause(0, signal);
  }
  unlisten?.();
  await task.finish?.(ctx).catch((error: unknown) => fail(ctx, task, error));
}

/**
 * How long a task pauses after this many consecutive failures, before the jitter. One that seldom runs is tried again sooner than usual, so
 * that a passing fault doesn't cost it a whole day.
 */
export function pauseMs({ everyMs, failures, isAway }: { everyMs: number; failures: number; isAway: boolean }): number {
  if (everyMs > longestPauseMs) return Math.min(longestPauseMs * 2 ** (failures - 1), everyMs);
  return Math.min(everyMs * 2 ** failures, Math.max(everyMs, isAway ? longestAwayMs : longestPauseMs));
}

/** A wait that ends early when the bell rings, also if it rang while no task waited. */
function createBell(signal: AbortSignal) {
  let rung = false;
  let end = () => {};
  signal.addEventListener("abort", () => end());
  return {
    ring() {
      rung = true;
      end();
    },
    silence() {
      rung = false;
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        if (rung || signal.aborted) return resolve();
        const timer = setTimeout(() => end(), ms).unref();
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** An unavailable database comes back, so it is logged in one short line per task, without a stack. */
function fail(ctx: Ctx, task: Task, error: unknown): null {
  if (isUnavailable(error))
    ctx.log.warn({ task: task.name, reason: (error as Error).message }, "the database can't be reached; trying again");
  else ctx.log.error({ task: task.name, err: error }, "background work failed; trying again");
  return null;
}

function jittered(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
