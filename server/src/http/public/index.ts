import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import { findByToken } from "#orders/index.ts";
import { narrow, platformErrors } from "#platform/index.ts";
import { bindClaim, createAnswerRoom, isUpload, sayReplayed } from "#requests/index.ts";
import { publicAssetRoutes } from "./assets.ts";
import { limitLinks } from "./limit-links.ts";
import { payRoutes } from "./pay.ts";
import { publicRecordingRoutes } from "./recordings.ts";

/**
 * Routes for holders of a payment link: no credentials, counted by token and address. Forms are accepted in addition to JSON, so that pages
 * work without scripts.
 */
export const publicRoutes: FastifyPluginAsync = async (app) => {
  requirePublic(app);
  readForms(app);
  limitLinks(app);
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.body === undefined && request.route.schema?.body !== undefined) request.body = {};
    done();
  });
  app.addHook("preHandler", async (request) => {
    const { token } = request.params as { token?: string };
    const actor = { kind: "buyer", id: token === undefined ? "unknown" : `…${token.slice(-4)}` } as const;
    request.ctx = narrow(app.runtime.ctx, { actor, requestId: request.id, claim: null }, app.runtime.database);
    if (token === undefined || request.method !== "POST") return;
    if (request.headers["idempotency-key"] !== undefined) return await bindLinkClaim(app, request, token);
    // Only holders of a link may send a file: without one, it is refused before it is read.
    if (request.route.config.upload === true && isUpload(request)) await findByToken(app.runtime.ctx, token);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    sayReplayed(request, reply);
    done(null, payload);
  });
  const takeRoom = createAnswerRoom(app.runtime.settings);
  await app.register(publicAssetRoutes(takeRoom));
  await app.register(publicRecordingRoutes);
  await app.register(payRoutes(takeRoom));
};

/**
 * A link's Idempotency-Key belongs to its project; without a link there is nothing to repeat. An upload's is bound once its file was read.
 */
async function bindLinkClaim(app: FastifyInstance, request: FastifyRequest, token: string): Promise<void> {
  const { order } = await findByToken(app.runtime.ctx, token);
  request.tenant = { project_id: order.project_id, livemode: order.livemode };
  bindClaim(app, request);
}

/** A route in here without a declared limit stops the start. Static files declare `linkLimit: undefined` because they have no token. */
function requirePublic(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.config?.scope !== "public") throw new Error(`${String(route.method)} ${route.url} is not declared public`);
    if (route.url.includes(":token") && route.config.linkLimit === undefined)
      throw new Error(`${String(route.method)} ${route.url} declares no limit`);
  });
}

function readForms(app: FastifyInstance): void {
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string", bodyLimit: 64 * 1024 }, (_request, body, done) => {
    const fields = Object.fromEntries(new URLSearchParams(body as string));
    if (Object.values(fields).some((value) => value.includes("\u0000")))
      return done(platformErrors.parameter_invalid({ reason: "forbidden_characters", message: "Texts can't contain NUL characters." }));
    done(null, fields);
  });
}
