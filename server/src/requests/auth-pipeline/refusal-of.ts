import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { identityErrors, isNewOwner, newOwnerRefusal, type Principal, secondStepRefusal, type Visitor } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import { requestErrors } from "../errors.ts";
import { isListed } from "./client-address.ts";
import { projectOf } from "./people/project-of.ts";
import { lacking } from "./require-scope.ts";

const notYourProject = "This project doesn't belong to your merchant.";
const confirmedMs = 10 * 60_000;

/** Scopes that no key has: they require a person. */
export const personScopes: ReadonlySet<string> = new Set(["session", "person", "operator"]);

/** Who asks for what, and from where: all that decides whether they may have it, also later, while a response is still being sent. */
export interface Asked {
  principal: Principal;
  config: FastifyContextConfig;
  ip: string;
  /** The project that the request names. */
  projectId: string | undefined;
}

export function askedOf(request: FastifyRequest): Asked {
  return { principal: request.principal, config: request.route.config, ip: request.ip, projectId: projectOf(request) };
}

/** Why valid credentials can't make this request; null if they can. */
export function refusalOf({ principal, config, ip, projectId }: Asked): Error | null {
  if (principal.allowed_ips.length > 0 && !isListed(ip, principal.allowed_ips)) return identityErrors.ip_not_allowed();
  if (projectId !== undefined && projectId !== principal.project_id)
    return requestErrors.project_mismatch({ param: "projectId", ...(principal.visitor === null ? {} : { message: notYourProject }) });
  if (principal.visitor !== null) return visitorRefusal(config, principal, principal.visitor);
  if (personScopes.has(config.scope as string)) return identityErrors.session_required();
  if (config.scope !== "any_key" && !opens(config, principal)) return lacking(config.scope, "This API key");
  return moneyRefusal(config, principal);
}

function visitorRefusal(config: FastifyContextConfig, principal: Principal, visitor: Visitor): Error | null {
  const { scope = "" } = config;
  if (scope === "operator" && !visitor.is_operator)
    return platformErrors.permission_denied({ message: "Only operators of this installation can do this." });
  if (!["operator", "person"].includes(scope) && visitor.role === null)
    return platformErrors.permission_denied({ message: "You don't belong to a merchant." });
  if (scope === "session" && visitor.role !== null && config.roles?.includes(visitor.role) !== true) {
    return platformErrors.permission_denied({ message: `Your role (${visitor.role}) doesn't allow this.`, fields: { role: visitor.role } });
  }
  if (!personScopes.has(scope) && scope !== "any_key" && !opens(config, principal)) return lacking(scope, `Your role, ${visitor.role},`);
  const step = secondStepRefusal(visitor, scope);
  if (step !== null) return step;
  if (needsConfirmation(config, principal) && !isRecentlyConfirmed({ principal })) return identityErrors.fresh_session_required();
  if (config.refusesNewOwners === true && principal.livemode && waits(principal)) return newOwnerRefusal(visitor);
  return moneyRefusal(config, principal);
}

function opens({ scope, alsoScopes = [] }: FastifyContextConfig, { scopes }: Principal): boolean {
  return scopes.has(scope as string) || alsoScopes.some((other) => scopes.has(other));
}

function waits({ visitor }: Principal): boolean {
  return visitor !== null && isNewOwner(visitor, visitor.seen_at);
}

/** Throws if a new owner uses a request in TEST to change something in LIVE. */
export function refuseNewOwner(request: FastifyRequest): void {
  const { visitor } = request.principal;
  if (visitor !== null && waits(request.principal)) throw newOwnerRefusal(visitor);
}

/** True for a person who signed in or confirmed within ten minutes. */
export function isRecentlyConfirmed(request: Pick<FastifyRequest, "principal">): boolean {
  const { visitor } = request.principal;
  return visitor !== null && visitor.seen_at.getTime() - visitor.confirmed_at.getTime() <= confirmedMs;
}

function needsConfirmation({ confirmed }: FastifyContextConfig, { livemode }: Principal): boolean {
  return confirmed === true || (confirmed === "live" && livemode);
}

function moneyRefusal(config: FastifyContextConfig, principal: Principal): Error | null {
  return config.movesMoney === true && principal.livemode && !principal.merchant_verified ? identityErrors.merchant_not_verified() : null;
}
