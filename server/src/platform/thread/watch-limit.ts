import type { Worker } from "node:worker_threads";

const answerMs = 1_000;

/** The limits of a job. */
export interface Limits {
  /** Processor time. */
  limitMs: number;
  /** Time by the clock. */
  timeoutMs: number;
}

/** Which limit a thread exceeded: work, or waiting. */
export type Over = "worked" | "waited";

/**
 * Calls `onOver` once a thread has worked for `limitMs`; the returned function stops the watch. Only processor time counts, so that a busy
 * machine ends no legitimate job. A thread that only waits is reported separately, because that says nothing about its job.
 */
export function watchLimit(thread: Worker, { limitMs, timeoutMs }: Limits, onOver: (over: Over) => void): () => void {
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const startedAt = performance.now();
  const before = usedMs(thread);
  let base: number | null = null;
  const look = async () => {
    const now = await usedMs(thread);
    base ??= (await before) ?? now;
    if (!isOpen) return;
    const used = now === null || base === null ? 0 : now - base;
    if (used >= limitMs) return onOver("worked");
    if (performance.now() - startedAt >= timeoutMs) return onOver("waited");
    timer = setTimeout(look, Math.min(Math.max(limitMs - used, limitMs / 10), timeoutMs));
  };
  timer = setTimeout(look, limitMs);
  return () => {
    isOpen = false;
    clearTimeout(timer);
  };
}

/** Processor time of a thread so far; null if it doesn't respond, also because it has just been started. */
async function usedMs(thread: Worker): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), answerMs);
  const usage = await Promise.race([thread.cpuUsage().catch(() => null), promise]);
  clearTimeout(timer);
  return usage === null ? null : (usage.user + usage.system) / 1000;
}
