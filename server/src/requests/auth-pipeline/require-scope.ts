import type { FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import type { RouteScope } from "../runtime.ts";

/** For a route with several permissions: refuses callers without the one that this request needs. Throws permission_denied. */
export function requireScope({ principal }: FastifyRequest, scope: RouteScope): void {
  if (!principal.scopes.has(scope))
    throw lacking(scope, principal.visitor === null ? "This API key" : `Your role, ${principal.visitor.role},`);
}

/** The refusal of a caller without the permission. */
export function lacking(scope: string | undefined, who: string): Error {
  return platformErrors.permission_denied({ message: `${who} doesn't have the permission ${scope}.`, fields: { required_scope: scope } });
}
