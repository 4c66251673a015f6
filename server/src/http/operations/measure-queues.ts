import { Gauge, type Registry } from "prom-client";
import type { Ctx } from "#platform/index.ts";
import { listQueues, type Queue } from "../dashboard/sql.ts";

/** Measures the length and age of each queue, from the database for each scrape; nothing while it is unavailable. */
export function measureQueues(registry: Registry, ctx: Ctx): void {
  let reading: Promise<Queue[]> | null = null;
  const read = () => {
    reading ??= listQueues(ctx.db)
      .catch(() => [])
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const gauge = (figure: string, help: string, countOf: (queue: Queue) => number) =>
    new Gauge({
      name: `tillpost_queue_${figure}`,
      help,
      labelNames: ["queue"],
      registers: [registry],
      async collect() {
        const queues = await read();
        this.reset();
        for (const queue of queues) this.set({ queue: queue.name }, countOf(queue));
      },
    });
  gauge("waiting", "Jobs waiting in a queue of the whole installation.", ({ waiting }) => waiting);
  gauge("oldest_seconds", "How long the oldest of a queue has been due.", ({ oldest_due_at }) =>
    oldest_due_at === null ? 0 : Math.max(0, (ctx.now().getTime() - oldest_due_at.getTime()) / 1000),
  );
  gauge(
    "set_aside",
    "Jobs that workers crashed or stalled with, and that aren't retried until an operator releases them. Each is an alarm.",
    (one) => one.set_aside,
  );
  gauge("dead", "Jobs that ran out of attempts within the last day.", ({ dead }) => dead);
}
