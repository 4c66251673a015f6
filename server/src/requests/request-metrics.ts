import type { FastifyReply, FastifyRequest } from "fastify";
import { Histogram, Registry } from "prom-client";
import { equalSecret } from "#platform/index.ts";

/** The measurements of one server. */
export interface Metrics {
  registry: Registry;
  observe(request: FastifyRequest, reply: FastifyReply): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const seriesOf = new WeakMap<object, Map<number, Histogram.Internal<string>>>();
  return {
    registry,
    observe(request, reply) {
      const { config, url = "none" } = request.route ?? request.routeOptions;
      let byStatus = seriesOf.get(config);
      if (byStatus === undefined) seriesOf.set(config, (byStatus = new Map()));
      let series = byStatus.get(reply.statusCode);
      if (series === undefined) byStatus.set(reply.statusCode, (series = durations.labels(request.method, url, String(reply.statusCode))));
      series.observe(reply.elapsedTime / 1000);
    },
  };
}

/** Whether a request for `/metrics` has the operator's token; such programs also request by address. */
export function isMetricsReader({ route, routeOptions, headers }: FastifyRequest, token: string | null): boolean {
  if (token === null || headers.authorization === undefined || (route ?? routeOptions).url !== "/metrics") return false;
  return equalSecret(headers.authorization, `Bearer ${token}`);
}
