/** The result of a request to a carrier. Only `held` and `deferred` may be retried. */
export type Answer =
  /** The carrier did what was requested. */
  | { kind: "done"; status: number; body: Readonly<Record<string, unknown>> }
  /** The carrier certainly didn't do it, and won't. `code` is the carrier's own. */
  | { kind: "refused"; status: number; code: number | null; message: string }
  /** The carrier certainly didn't do it, for now. `isAccount`: for reasons unrelated to the request, such as wrong credentials. */
  | { kind: "deferred"; status: number; code: number | null; message: string; retryAfterMs: number | null; isAccount: boolean }
  /** The request wasn't sent. */
  | { kind: "held"; reason: string }
  /** The request may have been sent. `isUnreadable`: the carrier responded with a success, but not with JSON or with too much of it. */
  | { kind: "unknown"; reason: string; isUnreadable?: true };
