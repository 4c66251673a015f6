import type { FailureCode } from "./failure-code.ts";

export interface EgressLimits {
  /** Name, connection and TLS together. */
  connectMs: number;
  /** From the request's last byte to the response's first. */
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
  /** The owner of the request: two owners never share a connection. */
  owner: string;
  /** An address that the operator or this program names, not a merchant: it may be http, and any address. */
  trusted?: boolean;
  /** Limits that differ from the client's. */
  limits?: Partial<Omit<EgressLimits, "connectMs">>;
}

/** The result of a request: a response with any status, or the reason why there is none. */
export type Exchange =
  | { status: number; headers: Record<string, string>; body: Buffer; truncated: boolean; duration_ms: number; error_code: null }
  | {
      status: null;
      error_code: FailureCode;
      duration_ms: number;
      head: AnswerHead | null;
      /** False if the request certainly wasn't sent, so that it can't have had an effect. */
      sent: boolean;
    };

/** Status and headers of a response whose body is incomplete. */
export interface AnswerHead {
  status: number;
  headers: Record<string, string>;
}
