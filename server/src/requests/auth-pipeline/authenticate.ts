import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Principal } from "#identity/index.ts";
import { type Actor, AppError, platformErrors, type Tenant } from "#platform/index.ts";
import { hasKey, readKeyText } from "./credentials.ts";
import { countAddress, createLimiter, type Exchange, showAddress } from "./limit-request.ts";
import { findVisitor } from "./people/find-visitor.ts";
import { askedOf, refusalOf } from "./refusal-of.ts";

type Done = HookHandlerDoneFunction;

interface Pipeline {
  app: FastifyInstance;
  limit: ReturnType<typeof createLimiter>;
}

/**
 * The checks before a body is read, in order: key, window, concurrency limit, address, project, scope, verification. If everything is in
 * memory, no promise is returned, because this runs for each request.
 */
export function createAuthPipeline(app: FastifyInstance): (exchange: Exchange, done: Done) => void {
  const pipeline: Pipeline = { app, limit: createLimiter(app) };
  return (exchange, done) => {
    const found = findPrincipal(app, exchange.request);
    if (found instanceof Error) refuse(pipeline, exchange, { error: found, done });
    else if (found instanceof Promise) {
      found.then(
        (principal) => admit(pipeline, exchange, { principal, done }),
        (error: Error) => refuse(pipeline, exchange, { error, done }),
      );
    } else admit(pipeline, exchange, { principal: found, done });
  };
}

/** The principal of a request's credentials: directly if cached, otherwise as a promise. */
export function findPrincipal(app: FastifyInstance, request: FastifyRequest): Principal | Promise<Principal> | Error {
  try {
    if (request.headers.cookie !== undefined && !hasKey(request.headers)) return findVisitor(app, request);
    return app.keys.authenticate(readKeyText(request.headers));
  } catch (error) {
    return error as Error;
  }
}

function admit(pipeline: Pipeline, exchange: Exchange, { principal, done }: { principal: Principal; done: Done }): void {
  const { request } = exchange;
  request.principal = principal;
  request.tenant = tenantOf(request, principal);
  pipeline.limit(exchange, principal, (refusal) => done(refusal ?? refusalOf(askedOf(request)) ?? undefined));
}

/** Only wrong credentials are counted: those that couldn't be looked up may be valid. */
function refuse(pipeline: Pipeline, exchange: Exchange, { error, done }: { error: Error; done: Done }): void {
  const isWrong = error instanceof AppError && error.status < 500;
  if (!isWrong) showAddress(pipeline.app, exchange).then(() => done(error), done);
  else countAddress(pipeline.app, exchange).then((allowed) => done(allowed ? error : platformErrors.rate_limited()), done);
}

const passes = new WeakMap<Principal, { tenant: Tenant; actor: Actor }>();

function passOf(principal: Principal): { tenant: Tenant; actor: Actor } {
  let pass = passes.get(principal);
  if (pass === undefined) {
    const actor: Actor =
      principal.visitor === null ? { kind: "api_key", id: principal.key_id } : { kind: "person", id: principal.visitor.id };
    pass = { tenant: { project_id: principal.project_id, livemode: principal.livemode }, actor };
    passes.set(principal, pass);
  }
  return pass;
}

/** Idempotency keys of routes without a project belong to the merchant. */
function tenantOf(request: FastifyRequest, principal: Principal): Tenant {
  if (request.route.config.ofMerchant !== true) return passOf(principal).tenant;
  return { project_id: principal.merchant_id, livemode: principal.livemode };
}

/** The actor of credentials, as the audit log names it. */
export function actorOf(principal: Principal): Actor {
  return passOf(principal).actor;
}
