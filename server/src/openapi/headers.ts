import type { RouteEntry } from "#requests/index.ts";
import type { Parameter, Schema } from "./types.ts";

const integer = (description: string, example: number) => ({ description, schema: { type: "integer" } satisfies Schema, example });
const string = (description: string, example: string) => ({ description, schema: { type: "string" } satisfies Schema, example });

/** Response headers, by component name. */
export const answerHeaders = {
  RequestId: string("Identifies this request in logs; the same as `error.request_id`.", "req_01m7wje4wze7as3wcxk3xbrgav"),
  RateLimitLimit: integer("How many requests the current window allows.", 1500),
  RateLimitRemaining: integer("How many requests are left in the current window.", 1499),
  RateLimitReset: integer("When the window ends, in Unix seconds.", 1_763_649_060),
  RetryAfter: integer("How many seconds to wait before repeating the request.", 60),
  IdempotentReplayed: {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  Deprecation: string("When this path became deprecated (RFC 9745).", "@1793491200"),
  Sunset: string("When this path stops working (RFC 8594).", "Mon, 01 Nov 2027 00:00:00 GMT"),
  Link: string("The path to use instead.", '</api/v1/projects/prj_01m7wje4wze7as3wcxk3xbrgav/orders>; rel="successor-version"'),
  Allow: string("The methods this path supports.", "GET, HEAD, PATCH"),
  WwwAuthenticate: string("How to authenticate.", 'Bearer realm="Tillpost"'),
} as const;

const spelled: Record<keyof typeof answerHeaders, string> = {
  RequestId: "Request-Id",
  RateLimitLimit: "X-RateLimit-Limit",
  RateLimitRemaining: "X-RateLimit-Remaining",
  RateLimitReset: "X-RateLimit-Reset",
  RetryAfter: "Retry-After",
  IdempotentReplayed: "Idempotent-Replayed",
  Deprecation: "Deprecation",
  Sunset: "Sunset",
  Link: "Link",
  Allow: "Allow",
  WwwAuthenticate: "WWW-Authenticate",
};
const always = ["RequestId", "RateLimitLimit", "RateLimitRemaining", "RateLimitReset"] as const;

/** References to the headers of every response, and to some more. */
export function headersWith(...more: (keyof typeof answerHeaders)[]): Record<string, object> {
  return Object.fromEntries([...always, ...more].map((name) => [spelled[name], { $ref: `#/components/headers/${name}` }]));
}

/** The headers of a route's successful responses. */
export function headersOf(entry: RouteEntry): Record<string, object> {
  const { config } = entry;
  return headersWith(
    ...(takesIdempotencyKey(entry) ? (["IdempotentReplayed"] as const) : []),
    ...(config.aliasOf === undefined ? [] : (["Deprecation", "Sunset", "Link"] as const)),
  );
}

/** True if a route reads `Idempotency-Key`. Signing in and confirming don't: each request needs its own proof. */
export function takesIdempotencyKey({ method, url, config }: RouteEntry): boolean {
  if (method !== "POST" || url.startsWith("/api/auth/")) return false;
  return config.scope !== "public" || config.linkLimit !== undefined;
}

/** Headers that a route reads in addition to those in its own schema. */
export function headerParameters(entry: RouteEntry): Parameter[] {
  const { config } = entry;
  return [
    ...(takesIdempotencyKey(entry) ? [idempotencyKey] : []),
    ...(config.errors?.includes("version_conflict") === true ? [ifMatch] : []),
    ...(config.scope === undefined || ["public", "person", "operator"].includes(config.scope) ? [] : [environment]),
  ];
}

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes it safe to repeat the request: within 72 hours, the same key and body take effect once, and repeats return the first response. Use a new UUID for each operation.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0197a1b2-6d1f-7c3e-9a55-3f1d2b4c5e6f",
};
const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "The `version` you read. If someone else has changed the object since, the change is refused with 409 `version_conflict`.",
  schema: { type: "string", pattern: '^"?[1-9][0-9]{0,8}"?$' },
  example: "1",
};
const environment: Parameter = {
  name: "Tillpost-Environment",
  in: "header",
  required: false,
  description: "The environment a signed-in person works in. Ignored for API keys, whose prefix determines the environment.",
  schema: { type: "string", enum: ["test", "live"] },
  example: "test",
};
