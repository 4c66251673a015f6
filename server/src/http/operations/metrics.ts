import { isIP } from "node:net";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { identityErrors } from "#identity/index.ts";
import { equalSecret } from "#platform/index.ts";
import { measureQueues } from "./measure-queues.ts";

/** /metrics: the duration of every answer by route and status, the queues of the installation, and the process itself. */
export const metricRoutes: FastifyPluginAsync = async (app) => {
  const { registry } = app.metrics;
  let collecting = false;
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    requireReader(request, app.house.settings.metricsToken);
    if (!collecting) {
      collectDefaultMetrics({ register: registry });
      measureQueues(registry, app.house.ctx);
    }
    collecting = true;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};

/** The measurements of one server. */
export interface Metrics {
  registry: Registry;
  observe(request: FastifyRequest, reply: FastifyReply): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer.",
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

/** The operator's token, or a direct connection from this machine. */
function requireReader(request: FastifyRequest, token: string | null): void {
  const { authorization } = request.headers;
  if (token !== null && authorization !== undefined && equalSecret(authorization, `Bearer ${token}`)) return;
  if (request.headers["x-forwarded-for"] === undefined && isLoopback(request.socket.remoteAddress ?? "")) return;
  throw identityErrors.authentication_required();
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
