/** An error in one field of the form: `reason` is stable, `message` an English sentence for the API. Never quotes a secret. */
export interface CredentialFault {
  field: string;
  reason: "required" | "malformed" | "wrong_environment" | "not_a_pair";
  message: string;
}

/** Credentials that can't belong to any account. */
export class CredentialsInvalid extends Error {
  readonly faults: readonly CredentialFault[];

  constructor(faults: readonly CredentialFault[]) {
    super(faults.map(({ field, reason }) => `${field}: ${reason}`).join(", "));
    this.faults = faults;
  }
}

/**
 * An error of a provider. `unknown_outcome`: it may have happened, so query the state before anything else; `unavailable`: it certainly
 * didn't happen. `declined`, `invalid`, `conflict`: the provider refused. `already_paid`: there is nothing left to pay, close or capture.
 */
export type GatewayErrorKind =
  | "declined"
  | "not_found"
  | "conflict"
  | "already_paid"
  | "auth"
  | "rate_limited"
  | "invalid"
  | "unavailable"
  | "unknown_outcome";

interface GivenError {
  code: string;
  message: string;
  requestId?: string | null;
  retryAfter?: number | null;
  isBusy?: boolean;
}

export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;
  /** The provider's own code, or `timeout`, `connection`, `too_large`, `malformed_answer`, `signature`. */
  readonly code: string;
  /** The provider's id of the request, for its support. */
  readonly requestId: string | null;
  /** After how many seconds the provider asks to retry. */
  readonly retryAfter: number | null;
  /** Whether it is `rate_limited` only because of another operation on the same object: the provider responds, and accepts other calls. */
  readonly isBusy: boolean;

  constructor(kind: GatewayErrorKind, given: GivenError) {
    super(given.message);
    this.kind = kind;
    this.code = given.code;
    this.requestId = given.requestId ?? null;
    this.retryAfter = given.retryAfter ?? null;
    this.isBusy = given.isBusy ?? false;
  }
}
