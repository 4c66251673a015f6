import type { FastifyReply } from "fastify";
import type { Taken } from "#platform/index.ts";

/** Headers that a browser's script can read. */
export const exposedHeaders = [
  "Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
  "Idempotent-Replayed",
  "Deprecation",
  "Sunset",
  "Link",
  "WWW-Authenticate",
  "Allow",
];

const policies = new Map<number, string>();

/** Writes the window of this request in both forms; `Retry-After` if it was refused. */
export function writeLimitHeaders(reply: FastifyReply, taken: Taken): void {
  reply.header("x-ratelimit-limit", taken.limit);
  reply.header("x-ratelimit-remaining", taken.remaining);
  reply.header("x-ratelimit-reset", Math.ceil(taken.resetsAtMs / 1000));
  reply.header("ratelimit-policy", policyOf(taken));
  reply.header("ratelimit", `"default";r=${taken.remaining};t=${secondsLeft(taken)}`);
  if (!taken.allowed) reply.header("retry-after", secondsLeft(taken));
}

/** The same as fields, for a response that is written manually. */
export function limitFields(taken: Taken): [string, string][] {
  return [
    ["X-RateLimit-Limit", String(taken.limit)],
    ["X-RateLimit-Remaining", String(taken.remaining)],
    ["X-RateLimit-Reset", String(Math.ceil(taken.resetsAtMs / 1000))],
    ["RateLimit-Policy", policyOf(taken)],
    ["RateLimit", `"default";r=${taken.remaining};t=${secondsLeft(taken)}`],
  ];
}

/** A few rules produce all windows, so their texts are cached. */
function policyOf({ limit, windowMs }: Taken): string {
  const name = limit * 4096 + windowMs / 1000;
  let policy = policies.get(name);
  if (policy === undefined) policies.set(name, (policy = `"default";q=${limit};w=${windowMs / 1000}`));
  return policy;
}

/** Whole seconds until the window ends, rounded up once, so that they never end before it does. */
export function secondsLeft({ resetsAtMs, nowMs }: Taken): number {
  return Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000));
}
