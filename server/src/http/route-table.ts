import type { FastifyContextConfig, FastifyInstance, FastifySchema } from "fastify";

/** One route as it was declared; what is generated from the routes (documents, refusal tests) starts here. */
export interface RouteEntry {
  method: string;
  url: string;
  config: FastifyContextConfig;
  schema: FastifySchema | undefined;
}

declare module "fastify" {
  interface FastifyInstance {
    routes: readonly RouteEntry[];
  }
}

/** Notes every route that is declared from here on, without the HEAD that comes with each GET. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: RouteEntry[] = [];
  app.decorate("routes", routes);
  app.addHook("onRoute", ({ method, url, config, schema }) => {
    for (const name of [method].flat()) {
      if (name !== "HEAD" && name !== "OPTIONS") routes.push({ method: name, url, config: config ?? {}, schema });
    }
  });
}
