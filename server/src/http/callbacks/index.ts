import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import type { CallbackSender } from "#gateways/index.ts";
import { receiveCallback } from "#orders/index.ts";
import { narrow, platformErrors } from "#platform/index.ts";
import { sendError } from "#requests/index.ts";
import { admitCallback, countRefusal, keepBodiesRaw, rawBodyOf, singleHeaders } from "./raw-callback.ts";

/** Larger than any provider's event. */
const bodyLimit = 256 * 1024;
const minuteMs = 60_000;
/** How many requests per minute unsigned callbacks of a payment can cause right away. */
const unprovenAMinute = 10;

interface Addressed {
  Params: { gateway: string; credentialId?: string };
}

/** Routes for providers: the only credential is the signature over the raw bytes, which the adapter verifies. */
export const callbackRoutes: FastifyPluginAsync = async (app) => {
  keepBodiesRaw(app, bodyLimit);
  const count = new Counter({
    name: "tillpost_gateway_callbacks_total",
    help: "Callbacks from payment providers, by result: stored, repeated, failed, or why they were refused.",
    labelNames: ["gateway", "outcome"],
    registers: [app.metrics.registry],
  });
  const options = { bodyLimit, config: { scope: "public" as const }, schema: { hide: true } };
  for (const path of ["/api/payments/:gateway/webhook/:credentialId", "/api/payments/:gateway/webhook"]) {
    app.post<Addressed>(path, options, async (request, reply) => {
      const outcome = await answerCallback(app, request, reply);
      count.inc({ gateway: app.runtime.ctx.gateways.find(request.params.gateway) === null ? "unknown" : request.params.gateway, outcome });
      return reply;
    });
  }
};

async function answerCallback(app: FastifyInstance, request: FastifyRequest<Addressed>, reply: FastifyReply): Promise<string> {
  const { gateway, credentialId = null } = request.params;
  const ctx = narrow(
    app.runtime.ctx,
    { actor: { kind: "provider", id: gateway.slice(0, 40) }, requestId: request.id, claim: null },
    app.runtime.database,
  );
  const raw = {
    method: request.method,
    path: request.url,
    headers: singleHeaders(request),
    body: rawBodyOf(request),
    receivedAt: ctx.now(),
  };
  const { outcome, answer, credential_id } = await receiveCallback(ctx, { gateway, credentialId, raw, sender: senderOf(app, request) });
  if (outcome !== "stored" && outcome !== "repeated" && outcome !== "failed") await countRefusal(app, request, credential_id);
  if (answer === null) sendError(app, platformErrors.route_missing(), { request, reply });
  else reply.code(answer.status).headers(answer.headers).send(answer.body);
  return outcome;
}

/**
 * Providers send as many callbacks as there are payments; only senders of refused ones are limited. A provider uses the same addresses for
 * all merchants, so each account is counted separately, and callbacks that match no account only block others like them.
 */
function senderOf(app: FastifyInstance, request: FastifyRequest): CallbackSender {
  return {
    admit: (credentialId) => admitCallback(app, request, credentialId),
    async mayAsk(payment) {
      const rule = { limit: unprovenAMinute, windowMs: minuteMs };
      return (await app.limits.bucket("unproven callbacks").take(payment, rule, request.startedAtMs)).allowed;
    },
  };
}
