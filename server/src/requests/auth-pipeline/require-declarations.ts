import type { FastifyInstance, RouteOptions } from "fastify";
import { allScopes } from "#identity/index.ts";
import { personScopes } from "./refusal-of.ts";

/**
 * Stops the server from starting if a route doesn't declare who can call it: a permission or one of `others`; and for people also which
 * roles, and whether a recent confirmation is required.
 */
export function requireDeclarations(app: FastifyInstance, others: readonly string[]): void {
  const open = new Set<string>([...allScopes, ...others]);
  app.addHook("onRoute", (route) => {
    const fault = faultOf(route, open);
    if (fault !== null) throw new Error(`${String(route.method)} ${route.url} does not declare ${fault}`);
  });
}

function faultOf({ config, method }: RouteOptions, open: ReadonlySet<string>): string | null {
  const scope = config?.scope;
  if (scope === undefined || !open.has(scope)) return "who may call it";
  if (scope === "session" && config?.roles === undefined) return "which roles may call it";
  if (personScopes.has(scope) && method !== "GET" && method !== "HEAD" && config?.confirmed === undefined)
    return "whether it asks for a fresh session";
  return null;
}
