import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import type { CarrierAnswer, CarrierRefusal, CarrierRequest, CarrierWebhook } from "#messaging/index.ts";
import { type AppError, isUnavailable, narrow, platformErrors } from "#platform/index.ts";
import { countRefusal, isAdmitted, keepBodiesRaw, rawBodyOf, singleHeaders } from "./raw-callback.ts";
import { reasonOf, startRefusalLog } from "./refusal-log.ts";

/** Larger than any carrier request. */
const bodyLimit = 64 * 1024;

interface Addressed {
  Params: { channel: string; account: string; "*": string };
}

/** Routes for carriers: the only credential is the signature, which the route's `CarrierDoor` verifies first. */
export const carrierRoutes: FastifyPluginAsync = async (app) => {
  keepBodiesRaw(app, bodyLimit);
  const count = new Counter({
    name: "tillpost_carrier_callbacks_total",
    help: "Callbacks from carriers over HTTP, by result: taken, failed, or why they were refused; limited if their sender had too many refused ones.",
    labelNames: ["channel", "account", "outcome"],
    registers: [app.metrics.registry],
  });
  const note = startRefusalLog(app, "carriers' callbacks were refused");
  const aboutOf = (request: FastifyRequest<Addressed>) => {
    const { channel, account } = webhookOf(app, request) === null ? { channel: "unknown", account: "unknown" } : request.params;
    return { channel, account };
  };
  const countOutcome = (request: FastifyRequest<Addressed>, outcome: string) => count.inc({ ...aboutOf(request), outcome });
  app.addHook("onError", (request, _reply, error, done) => {
    const addressed = request as FastifyRequest<Addressed>;
    const reason = reasonOf(error);
    // The others were counted where they were answered.
    if (reason === "too_large" || reason === "limited") {
      countOutcome(addressed, reason);
      note({ reason, ...aboutOf(addressed) });
    }
    done();
  });
  app.route<Addressed>({
    method: ["GET", "POST"],
    url: "/api/carriers/:channel/:account/*",
    bodyLimit,
    config: { scope: "public" },
    schema: { hide: true },
    handler: (request, reply) => answerCarrier(app, { request, reply, countOutcome: (outcome) => countOutcome(request, outcome) }),
  });
};

interface Exchange {
  request: FastifyRequest<Addressed>;
  reply: FastifyReply;
  countOutcome(outcome: string): void;
}

async function answerCarrier(app: FastifyInstance, { request, reply, countOutcome }: Exchange): Promise<FastifyReply> {
  const webhook = webhookOf(app, request);
  const { channel, account } = request.params;
  const receiver = webhook === null ? null : `${channel} ${account}`;
  if (!(await isAdmitted(app, request, receiver))) throw platformErrors.rate_limited();
  const answer = webhook === null ? "unknown_account" : await take(app, webhook, request);
  if (answer === "failed" || typeof answer === "object") countOutcome(answer === "failed" ? "failed" : "taken");
  if (answer === "failed") throw platformErrors.service_unavailable();
  if (typeof answer === "object") return reply.code(answer.status).headers(answer.headers).send(answer.body);
  countOutcome(answer);
  app.runtime.ctx.log.warn(
    { channel: channel.slice(0, 40), account: account.slice(0, 40), reason: answer },
    "a carrier's callback was refused",
  );
  // A carrier that sends more than is used here, correctly signed, is no stranger: what is used has to get through.
  if (answer !== "unsupported") await countRefusal(app, request, receiver);
  throw refusals[answer]();
}

const refusals: Readonly<Record<CarrierRefusal | "unknown_account", () => AppError>> = {
  unknown_account: () => platformErrors.route_missing(),
  unsupported: () => platformErrors.route_missing(),
  malformed: () => platformErrors.parameter_invalid({ reason: "request_unreadable", message: "This callback is malformed." }),
  signature: () => platformErrors.permission_denied({ message: "This callback's signature is invalid." }),
};

function webhookOf(app: FastifyInstance, { params }: FastifyRequest<Addressed>): CarrierWebhook | null {
  return app.runtime.carriers?.find(({ channel, has }) => channel === params.channel && has(params.account)) ?? null;
}

async function take(
  app: FastifyInstance,
  webhook: CarrierWebhook,
  request: FastifyRequest<Addressed>,
): Promise<CarrierAnswer | CarrierRefusal | "failed"> {
  const { account, "*": path } = request.params;
  const { runtime } = app;
  const ctx = narrow(
    runtime.ctx,
    { actor: { kind: "provider", id: `http:${account}` }, requestId: request.id, claim: null },
    runtime.database,
  );
  const method = request.method === "GET" ? "GET" : "POST";
  const given: CarrierRequest = { method, url: request.url, path, headers: singleHeaders(request), body: rawBodyOf(request) };
  try {
    return await webhook.take(ctx, account, given);
  } catch (error) {
    // The sender repeats it.
    if (!isUnavailable(error))
      runtime.ctx.log.error({ err: error, channel: webhook.channel, account }, "a carrier's callback couldn't be received");
    return "failed";
  }
}
