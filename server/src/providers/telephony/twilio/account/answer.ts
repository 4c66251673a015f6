/** What came of a request to a carrier. Only `held` and `deferred` may be tried again. */
export type Answer =
  /** It did what it was asked for. */
  | { kind: "done"; status: number; body: Readonly<Record<string, unknown>> }
  /** It certainly did not, and will not. `code` is the carrier's own. */
  | { kind: "refused"; status: number; code: number | null; message: string }
  /** It certainly did not, for now. `isAccount`: for reasons that have nothing to do with what was asked, such as wrong credentials. */
  | { kind: "deferred"; status: number; code: number | null; message: string; retryAfterMs: number | null; isAccount: boolean }
  /** The request never left. */
  | { kind: "held"; reason: string }
  /** It may have. */
  | { kind: "unknown"; reason: string };
