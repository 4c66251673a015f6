import type { FastifyPluginAsync } from "fastify";
import { createGate } from "../gate/authenticate.ts";
import { bindContext, sayReplayed } from "../gate/bind-claim.ts";
import { requireDeclarations } from "../gate/require-declarations.ts";
import { profileRoutes } from "./profile.ts";

/** /api/profile: what a person may see and change of themselves. */
export const profile: FastifyPluginAsync = async (app) => {
  requireDeclarations(app, ["person"]);
  const gate = createGate(app);
  app.addHook("onRequest", (request, reply, done) => gate({ request, reply }, done));
  app.addHook("preHandler", (request, _reply, done) => {
    bindContext(app, request);
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
  await app.register(profileRoutes);
};
