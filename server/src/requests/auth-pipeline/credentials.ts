import type { IncomingHttpHeaders } from "node:http";
import { identityErrors } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";

/** The key text of a request, from either header. Throws authentication_required, or parameter_conflict if the two differ. */
export function readKeyText(headers: IncomingHttpHeaders): string {
  const given = headers.authorization;
  const plain = headers["x-api-key"];
  const bearer = given === undefined ? null : bearerOf(given);
  if (plain === undefined) {
    if (bearer === null) throw identityErrors.authentication_required(given === undefined ? {} : { message: schemeFault(given) });
    return bearer;
  }
  const key = String(plain);
  if (bearer !== null && bearer !== key) {
    throw platformErrors.parameter_conflict({
      param: "X-API-Key",
      reason: "only_one",
      message: "Authorization and X-API-Key contain different keys. Send only one of them.",
    });
  }
  return key;
}

/** True if a request has a key, valid or not: a key takes precedence over a cookie. */
export function hasKey(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || headers["x-api-key"] !== undefined;
}

function schemeFault(header: string): string {
  const instead = "Send `Authorization: Bearer <API key>`, or just the key in X-API-Key.";
  if (/^svc_/.test(header)) return `The Authorization header holds a key without its scheme. ${instead}`;
  return /^basic /i.test(header)
    ? `Basic authentication isn't supported. ${instead}`
    : `The Authorization header has no scheme that is known here. ${instead}`;
}

function bearerOf(header: string): string | null {
  if (header.startsWith("Bearer ")) return header.slice(7).trim();
  return /^bearer /i.test(header) ? header.slice(7).trim() : null;
}
