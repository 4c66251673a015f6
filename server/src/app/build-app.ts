import Fastify, { type FastifyInstance } from "fastify";
import { installOperations, installServer, serverOptions } from "#http/index.ts";
import type { HttpRuntime } from "#requests/index.ts";

/** Builds the whole HTTP server over a context, ready for `inject` or `listen`. Closing it leaves the database open. */
export async function buildApp(runtime: HttpRuntime): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(runtime)) as unknown as FastifyInstance;
  namePlugins(app);
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

const displayName = Symbol.for("fastify.display-name");

/**
 * Names each plugin after its function, as Fastify would, but before Fastify compares it with every loaded CommonJS module, twice. That was
 * half of the time that building a server takes.
 */
function namePlugins(app: FastifyInstance): void {
  const register = app.register as unknown as (...given: unknown[]) => unknown;
  const named = function (this: FastifyInstance, plugin: unknown, ...options: unknown[]) {
    if (typeof plugin === "function" && !(displayName in plugin))
      Object.defineProperty(plugin, displayName, { value: plugin.name || "a plugin without a name" });
    return register.call(this, plugin, ...options);
  };
  app.register = named as unknown as typeof app.register;
}
