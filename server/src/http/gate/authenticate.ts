import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { identityErrors, type Principal } from "#identity/index.ts";
import { type Actor, type LimitBucket, type LimitRule, platformErrors, type Taken, type Tenant } from "#platform/index.ts";
import { httpErrors } from "../errors.ts";
import { isListed, limitedAddress } from "./client-address.ts";
import { readKeyText } from "./credentials.ts";
import { writeLimitHeaders } from "./limit-headers.ts";

const minuteMs = 60_000;

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

type Done = HookHandlerDoneFunction;

interface Gate {
  app: FastifyInstance;
  live: LimitRule;
  test: LimitRule;
}

/**
 * The checks before a body is read, in their order: key, window, ceiling, address, project, scope, verification.
 * Everything known in memory is answered without a promise: this runs for each request.
 */
export function createGate(app: FastifyInstance): (exchange: Exchange, done: Done) => void {
  const { settings } = app.house;
  const gate: Gate = {
    app,
    live: { limit: settings.perMinuteLive, windowMs: minuteMs },
    test: { limit: settings.perMinuteTest, windowMs: minuteMs },
  };
  return (exchange, done) => {
    const found = findPrincipal(app, exchange.request);
    if (found instanceof Error) refuse(gate, exchange, { error: found, done });
    else if (found instanceof Promise) {
      found.then(
        (principal) => admit(gate, exchange, { principal, done }),
        (error: Error) => refuse(gate, exchange, { error, done }),
      );
    } else admit(gate, exchange, { principal: found, done });
  };
}

function findPrincipal(app: FastifyInstance, request: FastifyRequest): Principal | Promise<Principal> | Error {
  try {
    return app.keys.authenticate(readKeyText(request.headers));
  } catch (error) {
    return error as Error;
  }
}

function admit(gate: Gate, exchange: Exchange, { principal, done }: { principal: Principal; done: Done }): void {
  const { request } = exchange;
  request.principal = principal;
  request.tenant = passOf(principal).tenant;
  const bucket = bucketOf(gate.app, request);
  const taken = bucket.take(principal.key_id, principal.livemode ? gate.live : gate.test, request.startedAtMs);
  if (taken instanceof Promise) taken.then((late) => enter(gate, exchange, { bucket, taken: late, done }), done);
  else enter(gate, exchange, { bucket, taken, done });
}

function enter(gate: Gate, { request, reply }: Exchange, given: { bucket: LimitBucket; taken: Taken; done: Done }): void {
  const { bucket, taken, done } = given;
  writeLimitHeaders(reply, taken, request.startedAtMs);
  if (!taken.allowed) return done(platformErrors.rate_limited());
  const subject = request.principal.key_id;
  const entered = gate.app.inFlight.enter(subject, gate.app.house.settings.burst);
  if (entered === true) {
    hold(gate.app, { request, reply }, subject);
    return done(refusalOf(request) ?? undefined);
  }
  void entered.then((came) => {
    if (came) hold(gate.app, { request, reply }, subject);
    else bucket.giveBack(subject);
    done(came ? (refusalOf(request) ?? undefined) : platformErrors.concurrency_limited({ headers: { "retry-after": "1" } }));
  });
}

/** The place is given back when the answer is out, or when the caller went away before. */
function hold(app: FastifyInstance, { request, reply }: Exchange, subject: string): void {
  request.inFlightOf = subject;
  if (reply.raw.closed) leave(app, request);
  else reply.raw.once("close", () => leave(app, request));
}

/** Gives back the place that a request holds; calling again changes nothing. */
export function leave(app: FastifyInstance, request: FastifyRequest): void {
  if (request.inFlightOf === null) return;
  app.inFlight.leave(request.inFlightOf);
  request.inFlightOf = null;
}

function refuse(gate: Gate, exchange: Exchange, { error, done }: { error: Error; done: Done }): void {
  countAddress(gate.app, exchange).then((allowed) => done(allowed ? error : platformErrors.rate_limited()), done);
}

/** Counts a request without valid credentials against its address, and says so in the headers. */
export async function countAddress(app: FastifyInstance, { request, reply }: Exchange): Promise<boolean> {
  const rule = { limit: app.house.settings.perMinuteUnauthenticated, windowMs: minuteMs };
  const taken = await app.limits.bucket("unauthenticated").take(limitedAddress(request.ip), rule, request.startedAtMs);
  writeLimitHeaders(reply, taken, request.startedAtMs);
  return taken.allowed;
}

const passes = new WeakMap<Principal, { tenant: Tenant; actor: Actor }>();

function passOf(principal: Principal): { tenant: Tenant; actor: Actor } {
  let pass = passes.get(principal);
  if (pass === undefined) {
    pass = { tenant: { project_id: principal.project_id, livemode: principal.livemode }, actor: { kind: "api_key", id: principal.key_id } };
    passes.set(principal, pass);
  }
  return pass;
}

/** The actor of a key, as the audit log names it. */
export function actorOf(principal: Principal): Actor {
  return passOf(principal).actor;
}

const buckets = new WeakMap<object, LimitBucket>();

/** One bucket per route, found by the route's own config object. */
function bucketOf(app: FastifyInstance, request: FastifyRequest): LimitBucket {
  const { config, url = "" } = request.route;
  let bucket = buckets.get(config);
  if (bucket === undefined) {
    bucket = app.limits.bucket(`${request.method} ${config.aliasOf ?? url}`);
    buckets.set(config, bucket);
  }
  return bucket;
}

function refusalOf(request: FastifyRequest): Error | null {
  const { principal } = request;
  const { config } = request.route;
  const { projectId } = request.params as { projectId?: string };
  if (principal.allowed_ips.length > 0 && !isListed(request.ip, principal.allowed_ips)) return identityErrors.ip_not_allowed();
  if (projectId !== undefined && projectId !== principal.project_id) return httpErrors.project_mismatch({ param: "projectId" });
  if (config.scope === "session") return identityErrors.session_required();
  if (config.scope !== "any_key" && !principal.scopes.has(config.scope as string)) {
    return platformErrors.permission_denied({ message: `This API key lacks the permission ${config.scope}.`, fields: { required_scope: config.scope } });
  }
  if (config.movesMoney === true && principal.livemode && !principal.merchant_verified) return identityErrors.merchant_not_verified();
  return null;
}
