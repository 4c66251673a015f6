import type { FailureCode } from "./failure-code.ts";

export interface EgressLimits {
  /** Name, connection and TLS together. */
  connectMs: number;
  /** From the request's last byte to the answer's first. */
  firstByteMs: number;
  /** The whole exchange with its body. */
  totalMs: number;
  bodyBytes: number;
}

export interface EgressRequest {
  url: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Whose request it is: connections are never shared between two owners. */
  owner: string;
  /** An address that the operator or this program names, and no merchant: it may be http, and lead anywhere. */
  trusted?: boolean;
  /** Where they differ from the client's. */
  limits?: Partial<Omit<EgressLimits, "connectMs">>;
}

/** What came of a request: an answer of whatever status, or why there is none. */
export type Exchange =
  | { status: number; headers: Record<string, string>; body: Buffer; truncated: boolean; duration_ms: number; error_code: null }
  | {
      status: null;
      error_code: FailureCode;
      duration_ms: number;
      head: AnswerHead | null;
      /** False where the request certainly never left: nothing can have come of it. */
      sent: boolean;
    };

/** Status and headers of an answer whose body did not arrive whole. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string>;
}
