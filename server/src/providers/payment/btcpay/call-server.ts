import { callProvider, type GatewayCall, GatewayError, kindOfStatus, malformedAnswer, retryAfterOf } from "#gateways/index.ts";
import type { BtcpayCredentials } from "./credentials.ts";

/** A request to the Greenfield API. */
export interface ServerRequest {
  method: "GET" | "POST" | "DELETE";
  /** Relative to `/api/v1`. */
  path: string;
  body?: Readonly<Record<string, unknown>>;
  /** Whether the server may have done something once it was sent. */
  changes: boolean;
}

/** Calls the merchant's server, and returns the JSON of its response; null if something was deleted. Throws `GatewayError`. */
export async function callServer(
  call: GatewayCall,
  { apiKey }: BtcpayCredentials,
  { method, path, body, changes }: ServerRequest,
): Promise<unknown> {
  const answer = await callProvider(call, {
    method,
    path: `/api/v1${path}`,
    headers: {
      authorization: `token ${apiKey}`,
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    changes,
  });
  const json = jsonOf(answer.text);
  if (answer.status >= 200 && answer.status < 300) {
    if (json === undefined && method !== "DELETE") throw malformedAnswer(changes);
    return json ?? null;
  }
  const { code, message } = refusalOf(json);
  const kind = answer.status < 400 ? (changes ? "unknown_outcome" : "unavailable") : kindOfStatus(answer.status, changes);
  throw new GatewayError(kind, {
    code: code ?? `http_${answer.status}`,
    message: message === null ? "BTCPay Server refused the request." : `BTCPay Server refused the request: ${message.slice(0, 200)}`,
    retryAfter: retryAfterOf(answer.headers),
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Either `{code, message}`, or for invalid values a list of `{path, message}`. */
function refusalOf(json: unknown): { code: string | null; message: string | null } {
  const first: unknown = Array.isArray(json) ? json[0] : json;
  const { code, message, path } = objectOf(first) ?? {};
  const text = typeof message === "string" ? message : null;
  if (Array.isArray(json)) return { code: "validation", message: typeof path === "string" ? `${path}: ${text ?? ""}` : text };
  return { code: typeof code === "string" && /^[\w-]{1,60}$/.test(code) ? code : null, message: text };
}

/** A JSON object; null for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : null;
}
