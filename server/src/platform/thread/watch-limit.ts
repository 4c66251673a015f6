import type { Worker } from "node:worker_threads";

const answerMs = 1_000;

/** What a job may take. */
export interface Limits {
  /** Processor time. */
  limitMs: number;
  /** Time by the clock. */
  patienceMs: number;
}

/** What a thread did too long: work, or nothing. */
export type Over = "worked" | "waited";

/**
 * Calls `onOver` once a thread has worked for `limitMs` from now on; the answer ends the watch. What counts is the time that the processor spent on it:
 * on a machine that is busy with other things no honest job is ended. One that waits all the time is told apart, for that says nothing about its job.
 */
export function watchLimit(thread: Worker, { limitMs, patienceMs }: Limits, onOver: (over: Over) => void): () => void {
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const begun = performance.now();
  const before = usedMs(thread);
  let base: number | null = null;
  const look = async () => {
    const now = await usedMs(thread);
    base ??= (await before) ?? now;
    if (!isOpen) return;
    const used = now === null || base === null ? 0 : now - base;
    if (used >= limitMs) return onOver("worked");
    if (performance.now() - begun >= patienceMs) return onOver("waited");
    timer = setTimeout(look, Math.min(Math.max(limitMs - used, limitMs / 10), patienceMs));
  };
  timer = setTimeout(look, limitMs);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}

/** Processor time of a thread so far; null where it does not answer, also because it has just been started. */
async function usedMs(thread: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), answerMs);
  const usage = await Promise.race([thread.cpuUsage().catch(() => null), promise]);
  clearTimeout(timer);
  return usage === null ? null : (usage.user + usage.system) / 1000;
}
