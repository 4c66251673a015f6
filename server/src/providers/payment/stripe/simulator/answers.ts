/** A refusal in the format of Stripe's API. */
export class ApiError extends Error {
  readonly status: number;
  readonly fields: { type: string; code?: string; param?: string };
  /** Whether it was refused before anything was started, so that no Idempotency-Key stores it. */
  readonly isBefore: boolean;

  constructor(status: number, message: string, fields: { type?: string; code?: string; param?: string; isBefore?: boolean } = {}) {
    super(message);
    const { isBefore = false, type = "invalid_request_error", ...rest } = fields;
    this.status = status;
    this.fields = { type, ...rest };
    this.isBefore = isBefore;
  }
}

export function errorBody(error: ApiError): string {
  return JSON.stringify({ error: { ...error.fields, message: error.message } }, null, 2);
}

export function noSuch(kind: string, id: string, param = "id"): ApiError {
  return new ApiError(404, `No such ${kind}: '${id}'`, { code: "resource_missing", param });
}
