import { createHash } from "node:crypto";
import { callProvider, type GatewayCall, GatewayError, kindOfStatus, readObject, retryAfterOf } from "#gateways/index.ts";

export interface MollieRequest {
  method: "GET" | "POST" | "DELETE";
  /** Starts with `/v2` and includes the query. */
  path: string;
  body?: Record<string, unknown>;
  /** Identifies repeats as the same request; for requests that create something. */
  once?: string;
}

/** Calls Mollie and returns the resource. Throws `GatewayError`. */
export async function callMollie(
  call: GatewayCall,
  apiKey: string,
  { method, path, body, once }: MollieRequest,
): Promise<Record<string, unknown>> {
  const changes = method !== "GET";
  const headers: Record<string, string> = { accept: "application/hal+json", authorization: `Bearer ${apiKey}`, "user-agent": "Tillpost" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (once !== undefined) headers["idempotency-key"] = uuidOf(once);
  const answer = await callProvider(call, {
    method,
    path,
    headers,
    changes,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const requestId = answer.headers.get("x-request-id");
  if (answer.status >= 200 && answer.status < 300) return readObject(answer.text, changes, requestId);
  throw refusalOf(answer, { changes, requestId });
}

/** Mollie requires a UUID of version 4 as the idempotency key: the same one for the same reference. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}

interface Refused {
  status: number;
  headers: Headers;
  text: string;
}

/** Mollie has no error codes of its own: uses the field that it specifies, or the status. */
function refusalOf({ status, headers, text }: Refused, given: { changes: boolean; requestId: string | null }): GatewayError {
  const { changes, requestId } = given;
  const { detail, field } = detailsOf(text);
  const kind = status === 410 ? "not_found" : kindOfStatus(status, changes);
  const message = kind === "auth" ? "Mollie refused the API key." : (detail ?? `Mollie answered ${status}.`).slice(0, 500);
  return new GatewayError(kind, { code: field ?? `http_${status}`, message, requestId, retryAfter: retryAfterOf(headers) });
}

function detailsOf(text: string): { detail: string | null; field: string | null } {
  try {
    const { detail, field } = (JSON.parse(text) ?? {}) as { detail?: unknown; field?: unknown };
    return {
      detail: typeof detail === "string" ? detail : null,
      field: typeof field === "string" && field !== "" ? field.slice(0, 80) : null,
    };
  } catch {
    return { detail: null, field: null };
  }
}
