import { assetErrors } from "#assets/index.ts";
import { callErrors } from "#calls/index.ts";
import { checkoutErrors } from "#checkout/index.ts";
import { collectionErrors } from "#collection/index.ts";
import { emailErrors } from "#email/index.ts";
import { gatewayErrors } from "#gateways/index.ts";
import { identityErrors } from "#identity/index.ts";
import { messagingErrors } from "#messaging/index.ts";
import { numberErrors } from "#numbers/index.ts";
import { orderErrors } from "#orders/index.ts";
import { type ErrorTable, platformErrors, typeOf } from "#platform/index.ts";
import { smsErrors } from "#sms/index.ts";
import { verificationErrors } from "#verifications/index.ts";
import { webhookErrors } from "#webhooks/index.ts";
import { personScopes } from "../auth-pipeline/refusal-of.ts";
import { requestErrors } from "../errors.ts";
import { type ErrorCode, remedies } from "./remedies.ts";

export interface ErrorEntry {
  code: string;
  status: number;
  type: string;
  message: string;
  /** The remedy for callers, in Markdown. */
  remedy: string;
}

const tables: ErrorTable[] = [
  platformErrors.$table,
  identityErrors.$table,
  assetErrors.$table,
  collectionErrors.$table,
  gatewayErrors.$table,
  orderErrors.$table,
  checkoutErrors.$table,
  webhookErrors.$table,
  messagingErrors.$table,
  numberErrors.$table,
  emailErrors.$table,
  smsErrors.$table,
  callErrors.$table,
  verificationErrors.$table,
  requestErrors.$table,
];

/** Every error that the API can return, by status and name. */
export function listErrors(): ErrorEntry[] {
  const entries = tables.flatMap((table) => Object.entries(table).map(([code, [status, message]]) => entryOf(code, status, message)));
  return entries.sort((left, right) => left.status - right.status || (left.code < right.code ? -1 : 1));
}

function entryOf(code: string, status: number, message: string): ErrorEntry {
  return { code, status, message, type: typeOf(code, status), remedy: remedies[code as ErrorCode] };
}

const always = ["rate_limited", "concurrency_limited", "internal_error", "service_unavailable"];
const withKey = [
  "authentication_required",
  "api_key_invalid",
  "api_key_expired",
  "api_key_revoked",
  "ip_not_allowed",
  "parameter_conflict",
];
const withBody = [
  "parameter_missing",
  "parameter_invalid",
  "parameter_unknown",
  "invalid_json",
  "body_too_large",
  "unsupported_media_type",
];
const withIdempotency = ["idempotency_key_invalid", "idempotency_key_in_use", "idempotency_key_reused"];

export interface RouteTraits {
  scope: string | undefined;
  /** It reads `Idempotency-Key`. */
  takesKey: boolean;
  nested: boolean;
  hasBody: boolean;
  hasQuery: boolean;
  movesMoney: boolean;
  confirmed: boolean | "live" | undefined;
}

/** The codes of a route that follow from its kind, without those of its own operation. */
export function commonErrors(route: RouteTraits): string[] {
  return [
    ...always,
    ...(route.scope === "public" ? [] : [...withKey, "origin_not_allowed"]),
    ...(route.scope === undefined || ["public", "person"].includes(route.scope) ? [] : ["permission_denied"]),
    ...(personScopes.has(route.scope ?? "") ? ["session_required"] : []),
    ...(route.confirmed === true || route.confirmed === "live" ? ["fresh_session_required"] : []),
    ...(route.nested ? ["project_mismatch"] : []),
    ...(route.movesMoney ? ["merchant_not_verified"] : []),
    ...(route.hasBody ? withBody : []),
    ...(route.hasQuery ? ["parameter_invalid", "parameter_unknown"] : []),
    ...(route.takesKey ? withIdempotency : []),
  ];
}
