import { commonErrors, type ErrorEntry, listErrors, type RouteEntry } from "#requests/index.ts";
import { refOf } from "./clean-schema.ts";
import { headersWith, takesIdempotencyKey } from "./headers.ts";
import type { Answer } from "./types.ts";

const entries = listErrors();
const catalogue = new Map(entries.map((entry) => [entry.code, entry]));

/** The name of each status's shared response, and its description. */
const statuses: Record<number, [name: string, description: string]> = {
  400: ["BadRequest", "A parameter, a header or the body is invalid."],
  401: ["Unauthorized", "The credentials are missing or don't work."],
  403: ["Forbidden", "These credentials don't allow this."],
  404: ["NotFound", "The object doesn't exist."],
  405: ["MethodNotAllowed", "This path doesn't support this method."],
  408: ["RequestTimeout", "The request didn't arrive completely in time."],
  409: ["Conflict", "The object's status doesn't allow this, or someone else changed it first."],
  410: ["Gone", "This existed, but has expired or was revoked or deleted."],
  413: ["TooLarge", "The body or the file is too large."],
  415: ["UnsupportedMediaType", "The body's content type isn't supported here."],
  421: ["Misdirected", "This server doesn't serve this host name."],
  422: ["Unprocessable", "The request is well-formed, but can't be carried out as it is."],
  429: ["TooManyRequests", "A limit is used up. Wait the number of seconds in `Retry-After`."],
  500: ["InternalError", "Something went wrong on the server."],
  502: ["BadGateway", "A payment provider declined the request or returned an error."],
  503: ["Unavailable", "The service isn't available right now. Repeat the request after `Retry-After` seconds."],
  504: ["GatewayTimeout", "A payment provider didn't respond in time."],
};

/** Codes that all routes return, so that a route without others of this status doesn't have to list them. */
const usual: Record<number, readonly string[]> = {
  401: ["authentication_required", "api_key_invalid", "api_key_expired", "api_key_revoked"],
  429: ["rate_limited", "concurrency_limited"],
  500: ["internal_error"],
  503: ["service_unavailable"],
};

/** The errors of a route by status, each a reference with the codes of this route. Throws for a code that is in no table. */
export function refusalsOf(entry: RouteEntry): Record<string, Answer> {
  const { method, url, config, schema } = entry;
  const common = commonErrors({
    scope: config.scope,
    takesKey: takesIdempotencyKey(entry),
    nested: url.includes(":projectId"),
    hasBody: schema?.body !== undefined || config.form !== undefined,
    hasQuery: schema?.querystring !== undefined,
    movesMoney: config.movesMoney === true,
    confirmed: config.confirmed,
  });
  const byStatus = new Map<number, string[]>();
  for (const code of new Set([...common, ...(config.errors ?? [])])) {
    const found = catalogue.get(code);
    if (found === undefined) throw new Error(`${method} ${url} names an error that no room's errors.ts holds: ${code}`);
    byStatus.set(found.status, [...(byStatus.get(found.status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([left], [right]) => left - right);
  return Object.fromEntries(
    sorted.map(([status, codes]): [string, Answer] => {
      const $ref = `#/components/responses/${nameOfStatus(status)}`;
      const listed = codes.map((code) => `\`${code}\``).join(", ");
      return [
        String(status),
        (codes.every((code) => usual[status]?.includes(code)) ? { $ref } : { $ref, description: `Error codes: ${listed}.` }) as Answer,
      ];
    }),
  );
}

function nameOfStatus(status: number): string {
  const [name] = statuses[status] ?? [];
  if (name === undefined) throw new Error(`status ${status} has no shared answer: add it to openapi/error-answers.ts`);
  return name;
}

/** One response for each error status. */
export function sharedRefusals(publicUrl: string): Record<string, Answer> {
  const used = [...new Set(entries.map(({ status }) => status))];
  return Object.fromEntries(used.map((status) => [nameOfStatus(status), sharedRefusal(status, publicUrl)]));
}

const mainCode: Record<number, string> = {
  400: "parameter_missing",
  403: "permission_denied",
  404: "resource_missing",
  409: "order_state_conflict",
  429: "rate_limited",
};

function sharedRefusal(status: number, publicUrl: string): Answer {
  const ofStatus = entries.filter((entry) => entry.status === status);
  const entry = (ofStatus.find(({ code }) => code === mainCode[status]) ?? ofStatus[0]) as ErrorEntry;
  const codes = (usual[status] ?? ofStatus.map(({ code }) => code)).map((code) => `\`${code}\``).join(", ");
  const more =
    status === 429 || status === 503
      ? (["RetryAfter"] as const)
      : status === 401
        ? (["WwwAuthenticate"] as const)
        : status === 405
          ? (["Allow"] as const)
          : [];
  return {
    description: `${statuses[status]?.[1]} Error codes: ${codes}.`,
    headers: headersWith(...more),
    content: { "application/json": { schema: { $ref: refOf("Error") }, example: errorExample(entry, publicUrl) } },
  };
}

function errorExample({ type, code, message }: ErrorEntry, publicUrl: string): object {
  const fault = { param: "amount_minor", code, reason: "required", message: "amount_minor is required." };
  const missing = code === "parameter_missing" ? { message: fault.message, param: fault.param, details: [fault] } : {};
  const ids = { doc_url: `${publicUrl}/docs/errors#${code}`, request_id: "req_01m7wje4wze7as3wcxk3xbrgav" };
  return { error: { type, code, message, ...missing, ...ids } };
}
