import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { bindContext, createAuthPipeline, requireDeclarations, sayReplayed } from "#requests/index.ts";
import { adminRoutes } from "./admin.ts";
import { messagingGuardRoutes } from "./messaging-guards.ts";
import { operatorNumberRoutes } from "./numbers.ts";
import { ownMailRoutes } from "./own-mails.ts";
import { profileRoutes } from "./profile.ts";
import { refusedCallbackRoutes } from "./refused-callbacks.ts";
import { suspensionRoutes } from "./suspend-sending.ts";
import { transportRoutes } from "./transports.ts";

/** /api/profile: a person's own data. */
export const profile: FastifyPluginAsync = async (app) => {
  admitPeople(app, "person");
  await app.register(profileRoutes);
};

/** /api/admin: the operators' routes. */
export const admin: FastifyPluginAsync = async (app) => {
  admitPeople(app, "operator");
  await app.register(adminRoutes);
  await app.register(ownMailRoutes);
  await app.register(refusedCallbackRoutes);
  await app.register(suspensionRoutes);
  await app.register(operatorNumberRoutes);
  await app.register(messagingGuardRoutes);
  await app.register(transportRoutes);
};

function admitPeople(app: FastifyInstance, scope: string): void {
  requireDeclarations(app, [scope]);
  const pipeline = createAuthPipeline(app);
  app.addHook("onRequest", (request, reply, done) => pipeline({ request, reply }, done));
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    bindContext(app, request);
    done();
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
}
