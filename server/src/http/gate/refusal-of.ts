import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { identityErrors, type Principal, type Visitor } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";
import { httpErrors } from "../errors.ts";
import { isListed } from "./client-address.ts";
import { projectOf } from "./project-of.ts";

const freshMs = 10 * 60_000;

/** Scopes that no key has: they ask for a person. */
export const personScopes: ReadonlySet<string> = new Set(["session", "person", "operator"]);

/** Why credentials that are good may not make this request; null when they may. */
export function refusalOf(request: FastifyRequest): Error | null {
  const { principal } = request;
  const { config } = request.route;
  const projectId = projectOf(request);
  if (principal.allowed_ips.length > 0 && !isListed(request.ip, principal.allowed_ips)) return identityErrors.ip_not_allowed();
  if (projectId !== undefined && projectId !== principal.project_id) return httpErrors.project_mismatch({ param: "projectId" });
  if (principal.visitor !== null) return visitorRefusal(request, principal, principal.visitor);
  if (personScopes.has(config.scope as string)) return identityErrors.session_required();
  if (config.scope !== "any_key" && !principal.scopes.has(config.scope as string)) {
    return platformErrors.permission_denied({ message: `This API key lacks the permission ${config.scope}.`, fields: { required_scope: config.scope } });
  }
  return moneyRefusal(config, principal);
}

function visitorRefusal(request: FastifyRequest, principal: Principal, visitor: Visitor): Error | null {
  const { config } = request.route;
  const { scope = "" } = config;
  if (scope === "operator" && !visitor.is_operator) return platformErrors.permission_denied({ message: "This is for the operators of this installation." });
  if (!["operator", "person"].includes(scope) && visitor.role === null) return platformErrors.permission_denied({ message: "You belong to no merchant." });
  if (scope === "session" && visitor.role !== null && config.roles?.includes(visitor.role) !== true) {
    return platformErrors.permission_denied({ message: `Your role, ${visitor.role}, may not do this.`, fields: { role: visitor.role } });
  }
  if (!personScopes.has(scope) && scope !== "any_key" && !principal.scopes.has(scope)) {
    return platformErrors.permission_denied({ message: `Your role, ${visitor.role}, lacks the permission ${scope}.`, fields: { required_scope: scope } });
  }
  if (needsFresh(config, principal) && request.startedAtMs - visitor.confirmed_at.getTime() > freshMs) return identityErrors.fresh_session_required();
  return moneyRefusal(config, principal);
}

function needsFresh({ fresh }: FastifyContextConfig, { livemode }: Principal): boolean {
  return fresh === true || (fresh === "live" && livemode);
}

function moneyRefusal(config: FastifyContextConfig, principal: Principal): Error | null {
  return config.movesMoney === true && principal.livemode && !principal.merchant_verified ? identityErrors.merchant_not_verified() : null;
}
