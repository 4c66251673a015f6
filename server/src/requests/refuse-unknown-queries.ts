import type { FastifyInstance } from "fastify";
import { strict } from "#schemas/index.ts";

const none = strict({});

/** Gives every route of the two APIs without query parameters an empty query schema, so that unknown parameters are refused there too. */
export function refuseUnknownQueries(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (/^\/(api\/)?v1\//.test(route.url)) route.schema = { querystring: none, ...route.schema };
  });
}
