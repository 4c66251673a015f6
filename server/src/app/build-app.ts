import Fastify, { type FastifyInstance } from "fastify";
import { installOperations, installServer, serverOptions } from "#http/index.ts";
import type { HttpRuntime } from "#requests/index.ts";

/** Builds the whole HTTP server over a context, ready for `inject` or `listen`. Closing it leaves the database open. */
export async function buildApp(runtime: HttpRuntime): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(runtime)) as unknown as FastifyInstance;
  app.decorate("runtime", runtime);
  await installServer(app);
  await app.ready();
  return app;
}

/** Builds the server of a worker, which only serves operators. */
export async function buildWorkerApp(runtime: HttpRuntime): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({ genReqId: () => runtime.ctx.id("req"), requestIdHeader: false, forceCloseConnections: "idle" });
  app.decorate("runtime", runtime);
  await installOperations(app);
  await app.ready();
  return app;
}
