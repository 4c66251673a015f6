import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Observe } from "#workers/index.ts";

/** Adds metrics of the runs of background tasks. */
export function observeRuns(registry: Registry): Observe {
  const seconds = new Histogram({
    name: "tillpost_task_duration_seconds",
    help: "Duration of one run of a background task.",
    labelNames: ["task", "failed"],
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers: [registry],
  });
  const done = new Counter({
    name: "tillpost_task_done_total",
    help: "Things that a background task has done.",
    labelNames: ["task"],
    registers: [registry],
  });
  const putOff = new Gauge({
    name: "tillpost_task_put_off",
    help: "Rows, such as orders or messages, that a background task failed on and tries again at growing intervals. Each is an alarm.",
    labelNames: ["task"],
    registers: [registry],
  });
  return (task, run) => {
    seconds.observe({ task, failed: String(run.failed) }, run.seconds);
    if (run.done > 0) done.inc({ task }, run.done);
    putOff.set({ task }, run.putOff);
  };
}
