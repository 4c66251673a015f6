export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "idempotency_error"
  | "rate_limit_error"
  | "gateway_error"
  | "api_error";

/** Values of a reason: limits, names, the given value. */
export type ReasonValues = Readonly<Record<string, string | number | boolean | null | readonly (string | number | boolean | null)[]>>;

/**
 * What is wrong with one value. The reason is permanent, like the code, but more specific: clients create their own text from it and its
 * values.
 */
export interface ErrorDetail {
  param: string;
  code: string;
  message: string;
  reason: string;
  values?: ReasonValues;
}

/** Additional data of an error: the invalid parameter and its reason, all field errors, response headers, extra public fields. */
export interface ErrorExtras {
  param?: string;
  message?: string;
  /** For an error about one value; `details` has them for several. */
  reason?: string;
  values?: ReasonValues;
  details?: ErrorDetail[];
  headers?: Record<string, string>;
  fields?: Record<string, unknown>;
  cause?: unknown;
}

/** An error that a caller can act on. `code` is public and permanent; `cause` is only for the log. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly extras: ErrorExtras;

  constructor(code: string, status: number, message: string, extras: ErrorExtras = {}) {
    super(extras.message ?? message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.status = status;
    this.extras = extras;
  }

  get type(): ErrorType {
    return typeOf(this.code, this.status);
  }
}

/** The public error type of a code: derived from the status, except for the two codes about idempotency keys. */
export function typeOf(code: string, status: number): ErrorType {
  if (code.startsWith("idempotency_key_") && status !== 400) return "idempotency_error";
  if (code.startsWith("gateway_") && status >= 500) return "gateway_error";
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 409) return "conflict_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}

export type ErrorTable = Record<string, readonly [status: number, message: string]>;
type Make = (extras?: ErrorExtras) => AppError;
export interface DefinedErrors<T extends ErrorTable> {
  readonly make: { readonly [Code in keyof T]: Make };
  readonly table: T;
}

/** Declares a room's errors once: code, HTTP status and public message on one line. */
export function defineErrors<const T extends ErrorTable>(table: T): DefinedErrors<T>["make"] & { readonly $table: T } {
  const make = Object.fromEntries(
    Object.entries(table).map(([code, [status, message]]) => [code, (extras?: ErrorExtras) => new AppError(code, status, message, extras)]),
  ) as DefinedErrors<T>["make"];
  return Object.assign(make, { $table: table });
}

/** Errors that belong to no resource: input, authentication, limits, idempotency, internal errors. */
export const platformErrors = defineErrors({
  parameter_missing: [400, "A required parameter is missing."],
  parameter_invalid: [400, "A parameter has an invalid value."],
  parameter_unknown: [400, "The request has an unknown parameter."],
  parameter_conflict: [400, "Two parameters contradict each other."],
  invalid_json: [400, "The body isn't valid JSON."],
  invalid_cursor: [400, "The cursor doesn't match an object in this list."],
  unsupported_currency: [400, "This currency isn't supported here."],
  amount_out_of_range: [400, "The amount must be a whole number of minor units from 1 to 99999999999."],
  idempotency_key_invalid: [400, "Idempotency-Key must be 1 to 255 visible ASCII characters."],
  card_number_refused: [400, "This looks like a card number. Don't send card data to this API."],
  url_not_allowed: [
    400,
    "This address can't be used. Use a public https address on port 443 or 8443, without user name, password or fragment (#).",
  ],
  limit_reached: [400, "You've reached the limit for this type of object."],
  permission_denied: [403, "These credentials don't allow this."],
  environment_mismatch: [403, "Only available in TEST."],
  resource_missing: [404, "No such object in this project and environment."],
  route_missing: [404, "No such route."],
  method_not_allowed: [405, "This route doesn't support this method."],
  body_too_large: [413, "The request body is too large."],
  unsupported_media_type: [415, "The body's content type isn't supported here."],
  version_conflict: [409, "Someone else has changed this object. Read it again and repeat your change."],
  idempotency_key_in_use: [409, "A request with this Idempotency-Key is still running."],
  idempotency_key_reused: [422, "This Idempotency-Key was already used with different parameters."],
  rate_limited: [429, "Too many requests. Wait until the window resets."],
  concurrency_limited: [429, "Too many concurrent requests."],
  internal_error: [500, "Something went wrong on our end. Nothing was changed unless an earlier response said so."],
  service_unavailable: [503, "The service isn't available right now. Try again shortly."],
});

/** Runs every check and throws all their errors as one, with the first one's code. Errors other than 400 are thrown unchanged. */
export async function gatherFaults(checks: readonly (() => unknown)[]): Promise<void> {
  const found: AppError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 400) throw error;
      found.push(error);
    }
  }
  const [first] = found;
  if (first !== undefined) throw new AppError(first.code, 400, first.message, { ...first.extras, details: found.flatMap(detailsOf) });
}

/** The field errors of an error, each with its reason; if none was given, the code is the reason. */
export function detailsOf({ code, message, extras: { param = "", reason = code, values, details } }: AppError): ErrorDetail[] {
  return details ?? [{ param, code, message, reason, ...(values === undefined ? {} : { values }) }];
}
