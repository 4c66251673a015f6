import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import type { CallbackSender } from "#gateways/index.ts";
import { receiveCallback } from "#orders/index.ts";
import { narrow, platformErrors } from "#platform/index.ts";
import { sendError } from "#requests/index.ts";
import { countRefusal, isAdmitted, keepBodiesRaw, rawBodyOf, singleHeaders } from "./raw-callback.ts";
import { type Refusal, reasonOf, startRefusalLog } from "./refusal-log.ts";

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
    help: "Callbacks from payment providers, by result: stored, repeated, failed, or why they were refused; limited if their sender had too many refused ones.",
    labelNames: ["gateway", "outcome"],
    registers: [app.metrics.registry],
  });
  const note = startRefusalLog(app, "callbacks were refused");
  const countOutcome = ({ params }: FastifyRequest<Addressed>, outcome: string) => count.inc({ gateway: gatewayOf(app, params), outcome });
  app.addHook("onError", (request, _reply, error, done) => {
    const addressed = request as FastifyRequest<Addressed>;
    const reason = reasonOf(error);
    countOutcome(addressed, reason ?? "failed");
    // The account of a limited sender is only known where it is limited.
    if (reason !== null && reason !== "limited") note({ reason, gateway: gatewayOf(app, addressed.params) });
    done();
  });
  const options = { bodyLimit, config: { scope: "public" as const }, schema: { hide: true } };
  for (const path of ["/api/payments/:gateway/webhook/:credentialId", "/api/payments/:gateway/webhook"]) {
    app.post<Addressed>(path, options, async (request, reply) => {
      countOutcome(request, await answerCallback(app, { request, reply, note }));
      return reply;
    });
  }
};

/** Bounded, because anyone can send to any address. */
function gatewayOf(app: FastifyInstance, { gateway }: Addressed["Params"]): string {
  return app.runtime.ctx.gateways.find(gateway) === null ? "unknown" : gateway;
}

interface Exchange {
  request: FastifyRequest<Addressed>;
  reply: FastifyReply;
  note(refusal: Refusal): void;
}

async function answerCallback(app: FastifyInstance, { request, reply, note }: Exchange): Promise<string> {
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
  const { outcome, answer, credential_id } = await receiveCallback(ctx, {
    gateway,
    credentialId,
    raw,
    sender: senderOf(app, { request, note }),
  });
  if (outcome !== "stored" && outcome !== "repeated" && outcome !== "failed") await countRefusal(app, request, credential_id);
  if (answer === null) sendError(app, platformErrors.route_missing(), { request, reply });
  else {
    if (answer.status === 503) reply.header("retry-after", "1");
    reply.code(answer.status).headers(answer.headers).send(answer.body);
  }
  return outcome;
}

/**
 * Providers send as many callbacks as there are payments; only senders of refused ones are limited. A provider uses the same addresses for
 * all merchants, so each account is counted separately, and callbacks that match no account only block others like them.
 */
function senderOf(app: FastifyInstance, { request, note }: Pick<Exchange, "request" | "note">): CallbackSender {
  return {
    async admit(credentialId) {
      if (await isAdmitted(app, request, credentialId)) return;
      note({ reason: "limited", gateway: gatewayOf(app, request.params), credential: credentialId });
      throw platformErrors.rate_limited();
    },
    async mayAsk(payment) {
      const rule = { limit: unprovenAMinute, windowMs: minuteMs };
      return (await app.limits.bucket("unproven callbacks").take(payment, rule, request.startedAtMs)).allowed;
    },
  };
}
