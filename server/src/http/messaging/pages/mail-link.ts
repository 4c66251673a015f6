import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { countAddress } from "#requests/index.ts";

/** The token of a link in an email. Tokens are longer than a named parameter can be. */
export function tokenOf(request: FastifyRequest): string {
  return (request.params as { "*"?: string })["*"] ?? "";
}

/** Responds to a link that wasn't created here; counted, to prevent guessing. */
export async function refuseLink(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<never> {
  if (!(await countAddress(app, { request, reply }))) throw platformErrors.rate_limited();
  throw platformErrors.resource_missing({ message: "This link wasn't created by this server." });
}
