import type { FastifyRequest } from "fastify";
import { identityErrors, type Visitor } from "#identity/index.ts";

/** The signed-in person of a route that only people reach. */
export function visitorOf(request: Pick<FastifyRequest, "principal">): Visitor {
  const { visitor } = request.principal;
  if (visitor === null) throw identityErrors.session_required();
  return visitor;
}
