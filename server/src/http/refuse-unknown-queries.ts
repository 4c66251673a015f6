import type { FastifyInstance } from "fastify";
import { strict } from "#schemas/index.ts";

const none = strict({});

/** Gives every route of the two APIs that declares no query parameters a query without any: an unknown one is refused there too, and never passed over. */
export function refuseUnknownQueries(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (/^\/(api\/)?v1\//.test(route.url)) route.schema = { querystring: none, ...route.schema };
  });
}
