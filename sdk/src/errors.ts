/** The shape of every error response. */
export interface ErrorBody {
  error?: {
    type?: string;
    code?: string;
    message?: string;
    param?: string;
    details?: ErrorDetail[];
    doc_url?: string;
    request_id?: string;
  };
}

export interface ErrorDetail {
  param?: string;
  code?: string;
  message?: string;
  /** Why it was refused: more specific than the code and just as stable. */
  reason?: string;
  /** Facts of the reason: bounds, names, what was sent. */
  values?: Record<string, unknown>;
  index?: number;
}

interface Facts {
  status: number;
  code: string;
  message: string;
  param?: string | undefined;
  details?: ErrorDetail[] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  fields?: Record<string, unknown> | undefined;
  cause?: unknown;
}

/** An error response of the API, or a network failure (`status` 0). Programs decide by `code`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;
  readonly details: ErrorDetail[];
  readonly requestId: string | undefined;
  /** Seconds to wait, if the response says so. */
  readonly retryAfter: number | undefined;
  /** Additional fields of some codes, such as `required_scope`. */
  readonly fields: Record<string, unknown>;

  constructor(facts: Facts) {
    super(facts.message, { cause: facts.cause });
    this.name = "ApiError";
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.fields = facts.fields ?? {};
  }
}

/** The error for a response with a status of 400 or higher, whatever its body is. */
export function readError(response: Response, body: ErrorBody | null): ApiError {
  const error = body?.error ?? {};
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: error.code ?? "unknown_answer",
    message: error.message ?? `The server answered ${response.status}.`,
    param: error.param,
    details: error.details,
    requestId: error.request_id ?? response.headers.get("request-id") ?? undefined,
    retryAfter: Number.isFinite(wait) ? wait : undefined,
    fields: error as Record<string, unknown>,
  });
}
