import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { allScopes } from "#identity/index.ts";
import { createGate } from "../gate/authenticate.ts";
import { bindContext, sayReplayed } from "../gate/bind-claim.ts";
import { readLargeBodies } from "./bodies/read-bodies.ts";
import { domainRoutes } from "./domains.ts";
import { suppressionRoutes } from "./suppressions.ts";

const surface = [domainRoutes, suppressionRoutes];
const openScopes = new Set<string>(allScopes);

/** /v1: the messaging API, with the same keys as /api/v1. A route that does not say which permission it needs stops the server from starting. */
export const messaging: FastifyPluginAsync = async (app) => {
  requireScopes(app);
  const gate = createGate(app);
  app.addHook("onRequest", (request, reply, done) => gate({ request, reply }, done));
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    bindContext(app, request);
    done();
  });
  readLargeBodies(app);
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
  for (const routes of surface) await app.register(routes);
};

function requireScopes(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    const scope = route.config?.scope;
    if (scope === undefined || !openScopes.has(scope)) throw new Error(`${String(route.method)} ${route.url} does not declare which permission it needs`);
  });
}
