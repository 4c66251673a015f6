import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { exposedHeaders } from "../auth-pipeline/limit-headers.ts";
import { showAddress } from "../auth-pipeline/limit-request.ts";
import { refuseMissingRoute } from "./missing-routes.ts";

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const exposed = exposedHeaders.join(", ");

/** Lets scripts of any site read a response. These requests aren't authenticated by a cookie, so there is nothing to steal. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.origin === undefined) return;
  reply.header("access-control-allow-origin", "*");
  reply.header("access-control-expose-headers", exposed);
}

/** Responds to CORS preflights. */
export function answerPreflights(app: FastifyInstance): void {
  app.options("*", { schema: { hide: true } }, async (request, reply) => {
    if (request.headers["access-control-request-method"] === undefined) return refuseMissingRoute(app, request, reply);
    await showAddress(app, { request, reply });
    reply.header("access-control-allow-methods", methods).header("access-control-max-age", "86400");
    const wanted = request.headers["access-control-request-headers"];
    if (wanted !== undefined) reply.header("access-control-allow-headers", wanted);
    return reply.code(204).send();
  });
}
