import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { unknownVisitor } from "#identity/index.ts";
import { narrow, platformErrors } from "#platform/index.ts";
import { bindContextAlone, checkOrigin, countAddress, createAuthPipeline, requireDeclarations } from "#requests/index.ts";
import { accountRoutes } from "./account.ts";
import { confirmRoute } from "./confirm.ts";
import { invitationRoutes } from "./invitations.ts";
import { passkeyRoutes } from "./passkeys.ts";
import { signInRoutes } from "./sign-in.ts";
import { twoFactorRoutes } from "./two-factor.ts";

/** /api/auth: sign-up, sign-in and confirmation. Every request comes from one of our pages, signed in or not. */
export const authRoutes: FastifyPluginAsync = async (app) => {
  requireDeclarations(app, ["public", "person"]);
  const pipeline = createAuthPipeline(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.route.config.scope === "public") admitStranger(app, { request, reply }, done);
    else pipeline({ request, reply }, done);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    // No Idempotency-Key: a repeated request must not return the result of a proof that was checked once.
    if (request.route.config.scope !== "public") bindContextAlone(app, request);
    done();
  });
  for (const routes of [signInRoutes, accountRoutes, confirmRoute, twoFactorRoutes, passkeyRoutes, invitationRoutes])
    await app.register(routes);
};

function admitStranger(
  app: FastifyInstance,
  exchange: { request: FastifyRequest; reply: FastifyReply },
  done: HookHandlerDoneFunction,
): void {
  const { request } = exchange;
  request.ctx = narrow(app.runtime.ctx, { actor: unknownVisitor, requestId: request.id, claim: null }, app.runtime.database);
  countAddress(app, exchange).then((allowed) => {
    if (!allowed) return done(platformErrors.rate_limited());
    try {
      checkOrigin(request, app.runtime.ctx.publicUrl);
      done();
    } catch (error) {
      done(error as Error);
    }
  }, done);
}
