import type { FastifyInstance } from "fastify";
import { Gauge, Histogram, type Registry } from "prom-client";
import { listComparisonFigures } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";

/**
 * Measures how far accounts were compared with their providers' lists, from the database for each scrape; nothing while it is unavailable.
 */
export function measureComparisons(registry: Registry, ctx: Ctx): void {
  new Gauge({
    name: "tillpost_gateway_comparisons",
    help: "Accounts by the result of their newest comparison with the provider's list: equal, different, failed, unlisted if the provider has no list, none before the first.",
    labelNames: ["gateway", "status"],
    registers: [registry],
    async collect() {
      const figures = await listComparisonFigures(ctx.db).catch(() => []);
      this.reset();
      for (const { gateway, status, accounts } of figures) this.set({ gateway, status }, accounts);
    },
  });
}

/** Measures the duration and outcome of this process's calls to payment providers, by provider. */
export function measureGateways(app: FastifyInstance): void {
  const durations = new Histogram({
    name: "tillpost_gateway_call_seconds",
    help: "Duration of a call to a payment provider, by kind of call and outcome.",
    labelNames: ["gateway", "verb", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [app.metrics.registry],
  });
  const stop = app.runtime.ctx.gateways.onCall(({ gateway, verb, outcome, seconds }) =>
    durations.labels(gateway, verb, outcome).observe(seconds),
  );
  app.addHook("onClose", async () => stop());
}
