import type { GatewayAmount } from "../snapshots.ts";

/** The checks of an account's setup, in the order in which a person would fix them, with all possible results. */
export const setupFindings = {
  credentials: ["accepted", "refused", "other_account", "unreachable", "not_checkable", "not_checked"],
  payments: ["taking", "paused", "refused", "not_answering", "failing"],
  address: ["reached", "public", "private_address", "no_https"],
  callbacks: ["received", "refused", "unread", "field_missing", "none_yet"],
  clock: ["in_step", "ahead", "behind", "not_measured"],
  currency: ["taken", "not_taken"],
} as const;

type Findings = typeof setupFindings;
export type SetupReason = Findings[keyof Findings][number];

/**
 * `unknown`: it will become known. `attention`: payments work, and something could be better. `problem`: something doesn't work until a
 * person fixes it.
 */
export const setupOutcomes = ["ok", "unknown", "attention", "problem"] as const;
export type SetupOutcome = (typeof setupOutcomes)[number];

export interface SetupFinding {
  name: keyof Findings;
  outcome: SetupOutcome;
  reason: SetupReason;
  /** When it was found, or until when it applies. */
  at: Date | null;
  /** Values for its text. */
  values: Record<string, string | number>;
}

/** The state of an account's setup and its problems. */
export interface Setup {
  credential_id: string;
  gateway: string;
  /** The worst of the findings. */
  outcome: SetupOutcome;
  findings: SetupFinding[];
  /** The smallest payment that the account accepts; null in LIVE, and if its limits exclude everything. */
  test_payment: GatewayAmount | null;
}
