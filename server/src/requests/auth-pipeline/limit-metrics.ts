import type { FastifyInstance } from "fastify";
import { Gauge } from "prom-client";

/** Shows operators whether the shared limit store responds; nothing if there is none. */
export function measureLimits(app: FastifyInstance): void {
  if (app.limits.sharedUp() === null) return;
  new Gauge({
    name: "tillpost_limit_store_up",
    help: "1 while the shared store of rate limits responds, 0 while this process counts on its own with its share of the limits.",
    registers: [app.metrics.registry],
    collect() {
      this.set(app.limits.sharedUp() ?? 0);
    },
  });
}
