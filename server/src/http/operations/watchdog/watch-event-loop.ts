import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { threadEnvironment } from "#platform/index.ts";
import type { LastRound, Stall, WatchdogData } from "./watchdog-thread.ts";

interface Watching {
  log: Logger;
  /** Reports to metrics; without it, delays are only logged. */
  registry?: Registry | undefined;
  /** A delay above this is an alarm. */
  alarmMs?: number;
  /** File descriptor for lines while this thread can't write them; the process's standard error by default. */
  file?: number;
}

/** How long one piece of work may block a process before it's an alarm. */
export const stallAlarmMs = 1_000;
const intervalMs = 50;
/** Shorter ones are only reported as a number. */
const loggedMs = 200;

/**
 * Monitors this thread's event loop: while it works on one thing, it responds to no one. Every round's delay is measured; one above 200 ms
 * is logged, and one above the alarm's limit at once, while it lasts, by another thread, with the functions that are running. Returns a
 * function that ends the monitoring.
 */
export function watchEventLoop({ log, registry, alarmMs = stallAlarmMs, file = 2 }: Watching): () => Promise<void> {
  const metrics = registry === undefined ? null : metricsIn(registry);
  const buffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const lastRound: LastRound = new BigInt64Array(buffer);
  Atomics.store(lastRound, 0, process.hrtime.bigint());
  const data: WatchdogData = { buffer, alarmMs, file };
  const watchdog = new Worker(new URL("./watchdog-thread.ts", import.meta.url), {
    workerData: data,
    env: threadEnvironment(),
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  watchdog.unref();
  watchdog.on("message", (stall: Stall) => {
    metrics?.stalls.inc();
    log.error(
      { stalled_ms: stall.stalledMs, ran: stall.ran },
      "one piece of work held this process up, which answered no one until it ended",
    );
  });
  watchdog.on("error", (error) => log.warn({ err: error }, "the event loop is no longer watched"));
  const timer = setInterval(() => {
    const now = process.hrtime.bigint();
    const delayMs = Math.max(0, Number(now - Atomics.exchange(lastRound, 0, now)) / 1e6 - intervalMs);
    metrics?.note(delayMs);
    if (delayMs >= loggedMs && delayMs < alarmMs) log.warn({ delayed_ms: Math.round(delayMs) }, "this process was held up");
  }, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await watchdog.terminate();
  };
}

function metricsIn(registry: Registry) {
  const delays = new Histogram({
    name: "tillpost_event_loop_delay_seconds",
    help: "How much later than scheduled the event loop ran, measured every 50 ms.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const longest = new Gauge({
    name: "tillpost_event_loop_delay_max_seconds",
    help: "The longest of these delays since the start.",
    registers: [registry],
  });
  const stalls = new Counter({
    name: "tillpost_event_loop_stalls_total",
    help: "Delays of a second and more. Each is an alarm.",
    registers: [registry],
  });
  let most = 0;
  return {
    stalls,
    note(delayMs: number) {
      delays.observe(delayMs / 1000);
      if (delayMs <= most) return;
      most = delayMs;
      longest.set(most / 1000);
    },
  };
}
