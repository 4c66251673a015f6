import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import { identityErrors, type Principal } from "#identity/index.ts";
import { type Actor, type LimitBucket, type LimitRule, platformErrors, type Taken, type Tenant } from "#platform/index.ts";
import { isListed, limitedAddress } from "./client-address.ts";
import { readKeyText } from "./credentials.ts";
import { httpErrors } from "../errors.ts";
import { writeLimitHeaders } from "./limit-headers.ts";

const minuteMs = 60_000;

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a surface with API keys checks before it reads a body. */
export interface Gate {
  check(exchange: Exchange, done: HookHandlerDoneFunction): void;
}

/**
 * The checks in their order: key, window, ceiling, address, project, scope, verification.
 * Everything known in memory is answered without a promise: this runs for each request.
 */
export function createGate(app: FastifyInstance): Gate {
  const { settings } = app.house;
  const live: LimitRule = { limit: settings.perMinuteLive, windowMs: minuteMs };
  const test: LimitRule = { limit: settings.perMinuteTest, windowMs: minuteMs };

  const admit = (exchange: Exchange, principal: Principal, done: HookHandlerDoneFunction) => {
    const { request } = exchange;
    request.principal = principal;
    request.tenant = tenantOf(principal);
    const bucket = bucketOf(app, request);
    const taken = bucket.take(principal.key_id, principal.livemode ? live : test, request.startedAtMs);
    if (taken instanceof Promise) {
      taken.then((late) => enter(exchange, { bucket, taken: late }, done)).catch(done);
    } else enter(exchange, { bucket, taken }, done);
  };

  const enter = ({ request, reply }: Exchange, window: { bucket: LimitBucket; taken: Taken }, done: HookHandlerDoneFunction) => {
    writeLimitHeaders(reply, window.taken, request.startedAtMs);
    if (!window.taken.allowed) return done(platformErrors.rate_limited());
    const subject = request.principal.key_id;
    const entered = app.inFlight.enter(subject, settings.burst);
    if (entered === true) {
      request.inFlightOf = subject;
      return done(refusalOf(request) ?? undefined);
    }
    entered.then((came) => {
      if (came) request.inFlightOf = subject;
      else window.bucket.giveBack(subject);
      done(came ? (refusalOf(request) ?? undefined) : platformErrors.concurrency_limited({ headers: { "retry-after": "1" } }));
    }).catch(done);
  };

  const refuse = (exchange: Exchange, error: Error, done: HookHandlerDoneFunction) => {
    void countAddress(app, exchange).then((allowed) => done(allowed ? error : platformErrors.rate_limited())).catch(done);
  };

  return {
    check(exchange, done) {
      try {
        const found = app.keys.authenticate(readKeyText(exchange.request.headers));
        if (found instanceof Promise) found.then((principal) => admit(exchange, principal, done)).catch((error) => refuse(exchange, error, done));
        else admit(exchange, found, done);
      } catch (error) {
        refuse(exchange, error as Error, done);
      }
    },
  };
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

/** The tenant of a key; the same object for all of its requests. */
function tenantOf(principal: Principal): Tenant {
  return passOf(principal).tenant;
}

/** The actor of a key, as the audit log names it. */
export function actorOf(principal: Principal): Actor {
  return passOf(principal).actor;
}

const buckets = new WeakMap<object, LimitBucket>();

/** One bucket per route, found by the route's own config object. */
function bucketOf(app: FastifyInstance, request: FastifyRequest): LimitBucket {
  const { config, url = "" } = request.routeOptions;
  let bucket = buckets.get(config);
  if (bucket === undefined) {
    bucket = app.limits.bucket(`${request.method} ${config.aliasOf ?? url}`);
    buckets.set(config, bucket);
  }
  return bucket;
}

function refusalOf(request: FastifyRequest): Error | null {
  const { principal } = request;
  const { config } = request.routeOptions;
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
