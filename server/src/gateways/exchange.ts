import { GatewayError, type GatewayErrorKind } from "./gateway-error.ts";
import type { GatewayCall } from "./port.ts";

export interface ProviderRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Everything after the host, including the query: `/v1/refunds`. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether the provider may have acted once the request was sent: without a response it is `unknown_outcome`, otherwise `unavailable`. */
  changes: boolean;
}

export interface ProviderAnswer {
  status: number;
  headers: Headers;
  /** The raw body, for signatures over its bytes. */
  text: string;
}

/** Codes of connections that were never established, so that nothing can have happened. */
const neverSent = new Set([
  "EGRESS_NOT_SENT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Sends a request to a provider and returns any response. Throws `GatewayError` (`unavailable` or `unknown_outcome`) without a complete
 * response.
 */
export async function callProvider(call: GatewayCall, { path, method, headers, body, changes }: ProviderRequest): Promise<ProviderAnswer> {
  try {
    const answer = await call.fetch(`${call.baseUrl}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    throw unanswered(error, changes);
  }
}

/** The code of a response that exceeds the limit: repeating the request would change nothing. */
export const tooLarge = "too_large";

/** The meaning of a failed fetch: `unknown_outcome` for a changing request that may have arrived. For libraries with their own client. */
export function unanswered(error: unknown, changes: boolean): GatewayError {
  const code = codeOf(error);
  const kind = changes && !neverSent.has(code) ? "unknown_outcome" : "unavailable";
  if (code === "EGRESS_TOO_LARGE")
    return new GatewayError(kind, { code: tooLarge, message: "The provider's response is too large to be read." });
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return new GatewayError(kind, { code: isTimeout ? "timeout" : "connection", message: "The provider didn't respond." });
}

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "";
}

/** The meaning of a status if the provider's own code says nothing more. */
export function kindOfStatus(status: number, changes: boolean): GatewayErrorKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "not_found";
  if (status === 409) return "conflict";
  if (status === 408 || status === 429) return "rate_limited";
  if (status >= 400 && status < 500) return "invalid";
  return changes ? "unknown_outcome" : "unavailable";
}

/** Whole seconds of a Retry-After header; null without one, or for a date. */
export function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) : null;
}

/** A response that the provider's documents don't mention. */
export function malformedAnswer(changes: boolean, requestId: string | null = null): GatewayError {
  return new GatewayError(changes ? "unknown_outcome" : "unavailable", {
    code: "malformed_answer",
    message: "The provider's response couldn't be read.",
    requestId,
  });
}

/** The JSON object of a response. Throws `malformed_answer`. */
export function readObject(text: string, changes: boolean, requestId: string | null = null): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformedAnswer(changes, requestId);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformedAnswer(changes, requestId);
  return value as Record<string, unknown>;
}
