import type { FastifyRequest } from "fastify";
import { identityErrors, type Visitor } from "#identity/index.ts";

/** The signed-in person of a route for people only. */
export function visitorOf(request: Pick<FastifyRequest, "principal">): Visitor {
  const { visitor } = request.principal;
  if (visitor === null) throw identityErrors.session_required();
  return visitor;
}
