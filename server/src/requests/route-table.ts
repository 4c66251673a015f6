import type { FastifyContextConfig, FastifyInstance, FastifySchema } from "fastify";

/** One declared route; generated documents and refusal tests are based on these. */
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

/** Records every route that is declared from here on, without the HEAD of each GET. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: RouteEntry[] = [];
  app.decorate("routes", routes);
  app.addHook("onRoute", ({ method, url, config, schema }) => {
    for (const name of [method].flat()) {
      if (name !== "HEAD" && name !== "OPTIONS") routes.push({ method: name, url, config: config ?? {}, schema });
    }
  });
}
