import type { FastifyInstance } from "fastify";
import { Histogram } from "prom-client";

/** Shows how long this process's calls to payment providers take and how they end, by provider. */
export function measureGateways(app: FastifyInstance): void {
  const durations = new Histogram({
    name: "tillpost_gateway_call_seconds",
    help: "Time of a call to a payment provider, by what was asked and how it ended.",
    labelNames: ["gateway", "verb", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [app.metrics.registry],
  });
  const stop = app.house.ctx.gateways.onCall(({ gateway, verb, outcome, seconds }) => durations.labels(gateway, verb, outcome).observe(seconds));
  app.addHook("onClose", async () => stop());
}
