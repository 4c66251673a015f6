import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter } from "prom-client";
import { createWaitLimit } from "#platform/index.ts";

/** How long one request waits for the database, all waits together, in milliseconds. */
const usualMs = 5_000;

/**
 * Limits how long each request waits for connections, locks and responses of the database: then it gets 503. Routes declare nothing for
 * it; those whose work takes long by design (streams, exports, imports) lift it. Add it before the first hook that reads the database.
 */
export function limitWaits(app: FastifyInstance): void {
  const reached = new Counter({
    name: "tillpost_request_wait_limit_total",
    help: "Requests that got 503 because they waited too long for connections, locks or responses of the database.",
    registers: [app.metrics.registry],
  });
  app.decorateRequest("waitLimit", null as never);
  app.addHook("onRequest", (request, _reply, done) => {
    const ms = app.runtime.settings.databaseWaitMs ?? usualMs;
    const onReached = () => {
      reached.inc();
      logReached(app, request, ms);
    };
    request.waitLimit = createWaitLimit({ ms, onReached });
    request.waitLimit.run(done);
  });
  app.addHook("onResponse", (request, _reply, done) => {
    request.waitLimit?.lift();
    done();
  });
}

function logReached(app: FastifyInstance, request: FastifyRequest, ms: number): void {
  const about = { code: "request_wait_limit", request_id: request.id, method: request.method, route: request.route?.url };
  app.runtime.ctx.log.error(about, `This request has waited for the database for ${ms / 1000} s, so it gets 503.`);
}
