import Fastify, { type FastifyInstance } from "fastify";
import type { HttpHouse } from "#http/index.ts";
import { installOperations, installServer, serverOptions } from "#http/index.ts";

/** Builds the whole HTTP server over a context, ready for `inject` or `listen`. Closing it leaves the database open. */
export async function buildApp(house: HttpHouse): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(house)) as unknown as FastifyInstance;
  app.decorate("house", house);
  await installServer(app);
  await app.ready();
  return app;
}

/** Builds the server of a worker, which answers operators alone. */
export async function buildWorkerApp(house: HttpHouse): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({ genReqId: () => house.ctx.id("req"), requestIdHeader: false, forceCloseConnections: "idle" });
  app.decorate("house", house);
  await installOperations(app);
  await app.ready();
  return app;
}
