import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, type Registry } from "prom-client";
import { identityErrors } from "#identity/index.ts";
import { type Database, isLoopbackAddress, isLoopbackUrl } from "#platform/index.ts";
import { isMetricsReader } from "#requests/index.ts";
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
