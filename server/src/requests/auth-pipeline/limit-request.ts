import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "#identity/index.ts";
import { counted, type LimitRule, platformErrors, type Taken } from "#platform/index.ts";
import { limitedAddress } from "./client-address.ts";
import { limitFields, secondsLeft, writeLimitHeaders } from "./limit-headers.ts";
import { createLimitRules, type RequestLimit } from "./limit-rules.ts";

const minuteMs = 60_000;

export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Called with the refusal, or with nothing if the request may continue. */
type Decided = (refusal?: Error) => void;
type Limiter = (exchange: Exchange, principal: Principal, decided: Decided) => void;

/** The window of a key and endpoint, then its limit of concurrent requests. If windows are in memory and there is room, synchronously. */
export function createLimiter(app: FastifyInstance): Limiter {
  const ruleOf = createLimitRules(app);
  return (exchange, principal, decided) => {
    const { request } = exchange;
    const limit = ruleOf(request, principal);
    const taken = limit.bucket.take(principal.key_id, limit.rule, request.startedAtMs);
    if (taken instanceof Promise) taken.then((late) => enter(app, exchange, { limit, taken: late, decided }), decided);
    else enter(app, exchange, { limit, taken, decided });
  };
}

function enter(app: FastifyInstance, { request, reply }: Exchange, given: { limit: RequestLimit; taken: Taken; decided: Decided }): void {
  const { limit, taken, decided } = given;
  writeLimitHeaders(reply, taken);
  if (!taken.allowed) return decided(limitedBy(taken, limit.scope));
  const key = request.principal.key_id;
  const subject = limit.keyPrefix === "" ? key : limit.keyPrefix + key;
  const entered = app.inFlight.enter(subject, limit.burst);
  if (entered === true) {
    hold(app, { request, reply }, subject);
    return decided();
  }
  void entered.then((admitted) => {
    if (admitted) {
      hold(app, { request, reply }, subject);
      return decided();
    }
    writeLimitHeaders(reply, limit.bucket.release(key, taken));
    decided(
      platformErrors.concurrency_limited({
        headers: { "retry-after": "1" },
        fields: { limit: limit.burst, scope: "requests at once", retry_after: 1 },
      }),
    );
  });
}

/** The slot is released when the response is sent, or when the caller disconnected before. */
function hold(app: FastifyInstance, { request, reply }: Exchange, subject: string): void {
  request.inFlightOf = subject;
  if (reply.raw.closed) leave(app, request);
  else reply.raw.once("close", () => leave(app, request));
}

/** Releases a request's slot; calling it again changes nothing. */
export function leave(app: FastifyInstance, request: FastifyRequest): void {
  if (request.inFlightOf === null) return;
  app.inFlight.leave(request.inFlightOf);
  request.inFlightOf = null;
}

/** The refusal of a full window, with the numbers of its headers. */
export function limitedBy(taken: Taken, scope: string): Error {
  const seconds = secondsLeft(taken);
  const each = taken.windowMs === minuteMs ? "minute" : taken.windowMs === 60 * minuteMs ? "hour" : `${taken.windowMs / 1000} seconds`;
  return platformErrors.rate_limited({
    message: `The limit of ${counted(taken.limit, "request")} per ${each} for ${scope} is used up. Try again in ${seconds} s.`,
    fields: { limit: taken.limit, scope, retry_after: seconds },
  });
}

/** Counts a request without valid credentials against its address, and sets the headers. */
export async function countAddress(app: FastifyInstance, { request, reply }: Exchange): Promise<boolean> {
  const taken = await windowOf(app).take(limitedAddress(request.ip), addressRule(app), request.startedAtMs);
  writeLimitHeaders(reply, taken);
  return taken.allowed;
}

/** Shows the window of an address without counting: for CORS preflights. */
export async function showAddress(app: FastifyInstance, { request, reply }: Exchange): Promise<void> {
  const { allowed: _allowed, ...seen } = await windowOf(app).look(limitedAddress(request.ip), addressRule(app), request.startedAtMs);
  writeLimitHeaders(reply, { ...seen, allowed: true });
}

/** Counts data on a bare connection that isn't HTTP; returns the header fields to send. */
export async function countPeer(app: FastifyInstance, address: string): Promise<[string, string][]> {
  return limitFields(await windowOf(app).take(limitedAddress(address), addressRule(app), app.runtime.ctx.now().getTime()));
}

function windowOf(app: FastifyInstance) {
  return app.limits.bucket("unauthenticated");
}

function addressRule(app: FastifyInstance): LimitRule {
  return { limit: app.runtime.settings.perMinuteUnauthenticated, windowMs: minuteMs };
}
