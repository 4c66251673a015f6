import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Principal } from "#identity/index.ts";
import { type Actor, AppError, platformErrors, type Tenant } from "#platform/index.ts";
import { hasKey, readKeyText } from "./credentials.ts";
import { countAddress, createLimiter, type Exchange, showAddress } from "./limit-request.ts";
import { findVisitor } from "./people/find-visitor.ts";
import { refusalOf } from "./refusal-of.ts";

export { countAddress } from "./limit-request.ts";

type Done = HookHandlerDoneFunction;

interface Gate {
  app: FastifyInstance;
  limit: ReturnType<typeof createLimiter>;
}

/**
 * The checks before a body is read, in their order: key, window, ceiling, address, project, scope, verification.
 * Everything known in memory is answered without a promise: this runs for each request.
 */
export function createGate(app: FastifyInstance): (exchange: Exchange, done: Done) => void {
  const gate: Gate = { app, limit: createLimiter(app) };
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

/** Whom the credentials of a request speak for: at once where memory knows, else by a promise. */
export function findPrincipal(app: FastifyInstance, request: FastifyRequest): Principal | Promise<Principal> | Error {
  try {
    if (request.headers.cookie !== undefined && !hasKey(request.headers)) return findVisitor(app, request);
    return app.keys.authenticate(readKeyText(request.headers));
  } catch (error) {
    return error as Error;
  }
}

function admit(gate: Gate, exchange: Exchange, { principal, done }: { principal: Principal; done: Done }): void {
  const { request } = exchange;
  request.principal = principal;
  request.tenant = tenantOf(request, principal);
  gate.limit(exchange, principal, (refusal) => done(refusal ?? refusalOf(request) ?? undefined));
}

/** Only what was found wrong is counted: credentials that could not be looked up may be good ones. */
function refuse(gate: Gate, exchange: Exchange, { error, done }: { error: Error; done: Done }): void {
  const isWrong = error instanceof AppError && error.status < 500;
  if (!isWrong) showAddress(gate.app, exchange).then(() => done(error), done);
  else countAddress(gate.app, exchange).then((allowed) => done(allowed ? error : platformErrors.rate_limited()), done);
}

const passes = new WeakMap<Principal, { tenant: Tenant; actor: Actor }>();

function passOf(principal: Principal): { tenant: Tenant; actor: Actor } {
  let pass = passes.get(principal);
  if (pass === undefined) {
    const actor: Actor = principal.visitor === null ? { kind: "api_key", id: principal.key_id } : { kind: "person", id: principal.visitor.id };
    pass = { tenant: { project_id: principal.project_id, livemode: principal.livemode }, actor };
    passes.set(principal, pass);
  }
  return pass;
}

/** Idempotency keys of what belongs to no project are the merchant's. */
function tenantOf(request: FastifyRequest, principal: Principal): Tenant {
  if (request.route.config.ofMerchant !== true) return passOf(principal).tenant;
  return { project_id: principal.merchant_id, livemode: principal.livemode };
}

/** The actor behind credentials, as the audit log names it. */
export function actorOf(principal: Principal): Actor {
  return passOf(principal).actor;
}
