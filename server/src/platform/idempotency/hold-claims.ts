import type { Claim } from "../context.ts";
import type { Pipe, Sent, Tx } from "../sql.ts";
import { deleteKeys, updateKeyResults } from "./held.sql.ts";
import { type ClaimOutcome, claimMany } from "./idempotency.ts";

/**
 * Claims the keys of a group whose results aren't known yet. Pass the new ones to `finishClaims` or `releaseClaims` in the same
 * transaction.
 */
export function holdClaims(tx: Tx, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return claimMany(
    tx,
    claims.map((claim) => ({ claim, result: null })),
  );
}

/** Writes the results of the requests as JSON. */
export function finishClaims<On extends Tx | Pipe>(tx: On, rows: readonly { claim: Claim; result: string }[]): Sent<On, void> {
  return updateKeyResults(tx, rows);
}

/** Releases keys whose requests had no effect, so that they can be used again. */
export function releaseClaims<On extends Tx | Pipe>(tx: On, claims: readonly Claim[]): Sent<On, void> {
  return deleteKeys(tx, claims);
}
