import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { identityErrors } from "#identity/index.ts";
import { type Database, equalSecret, isLoopbackAddress, isLoopbackUrl } from "#platform/index.ts";
import { measureComparisons, measureGateways } from "./measure-gateways.ts";
import { measureQueues } from "./measure-queues.ts";

/** /metrics: the duration of every response by route and status, the queues of the installation, and the process itself. */
export const metricRoutes: FastifyPluginAsync = async (app) => {
  const { registry } = app.metrics;
  let collecting = false;
  measureGateways(app);
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    requireReader(request, { token: app.runtime.settings.metricsToken, publicUrl: app.runtime.ctx.publicUrl });
    if (!collecting) {
      collectDefaultMetrics({ register: registry });
      measureQueues(registry, app.runtime.ctx);
      measureComparisons(registry, app.runtime.ctx);
      measureDatabase(registry, app.runtime.database);
    }
    collecting = true;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
};

function measureDatabase(registry: Registry, database: Database): void {
  new Counter({
    name: "tillpost_database_unreachable_total",
    help: "How often the database didn't respond and its connections were ended. Each is an alarm.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(database.unreachableCount());
    },
  });
}

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

/**
 * The operator's token; if no one else can reach this server, a direct connection from this machine is enough. Otherwise it isn't: a proxy
 * that sends no `X-Forwarded-For` looks like this machine.
 */
function requireReader(request: FastifyRequest, { token, publicUrl }: { token: string | null; publicUrl: string }): void {
  if (isMetricsReader(request, token)) return;
  if (isLoopbackUrl(publicUrl) && request.headers["x-forwarded-for"] === undefined && isLoopbackAddress(request.socket.remoteAddress ?? ""))
    return;
  throw identityErrors.authentication_required();
}

/** Whether a request for `/metrics` has the operator's token; such programs also request by address. */
export function isMetricsReader({ route, routeOptions, headers }: FastifyRequest, token: string | null): boolean {
  if (token === null || headers.authorization === undefined || (route ?? routeOptions).url !== "/metrics") return false;
  return equalSecret(headers.authorization, `Bearer ${token}`);
}
