import type { FastifyInstance } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { findPrincipal } from "./authenticate.ts";
import { writeLimitHeaders } from "./limit-headers.ts";
import { countAddress, type Exchange, limitedBy } from "./limit-request.ts";
import { createUnroutedLimit } from "./limit-rules.ts";

/**
 * Creates the function that counts a request without a route: against its credentials if they are valid, so that a program's mistakes use
 * up its own window and not that of its network address; otherwise against the address. Returns the refusal of a full window.
 */
export function createUnroutedCount(app: FastifyInstance): (exchange: Exchange) => Promise<Error | null> {
  const limitOf = createUnroutedLimit(app);
  return async (exchange) => {
    const { request, reply } = exchange;
    const principal = await Promise.resolve(findPrincipal(app, request)).catch(() => null);
    if (principal === null || principal instanceof Error) return (await countAddress(app, exchange)) ? null : platformErrors.rate_limited();
    const { bucket, rule, scope } = limitOf(request, principal);
    const taken = await bucket.take(principal.key_id, rule, request.startedAtMs);
    writeLimitHeaders(reply, taken);
    return taken.allowed ? null : limitedBy(taken, scope);
  };
}
