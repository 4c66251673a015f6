import type { FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";

/** The version that the caller read, bare or quoted; null without the header. Throws parameter_invalid for anything else. */
export function readIfMatch(request: Pick<FastifyRequest, "headers">): number | null {
  const header = request.headers["if-match"];
  if (header === undefined) return null;
  const version = /^"?([1-9]\d{0,8})"?$/.exec(header)?.[1];
  if (version === undefined)
    throw platformErrors.parameter_invalid({
      param: "If-Match",
      reason: "not_a_version",
      message: "If-Match must be the version you read.",
    });
  return Number(version);
}
