import type { Claim } from "../context.ts";
import type { Pipe, Sent, Tx } from "../sql.ts";
import { deleteKeys, updateKeyResults } from "./held.sql.ts";
import { type ClaimOutcome, claimMany } from "./idempotency.ts";

/** Takes the keys of a group whose results are not known yet. Those that are new are to be given to `finishClaims` or `releaseClaims` in the same transaction. */
export function holdClaims(tx: Tx, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return claimMany(
    tx,
    claims.map((claim) => ({ claim, result: null })),
  );
}

/** Writes what the requests came to, as JSON. */
export function finishClaims<On extends Tx | Pipe>(tx: On, rows: readonly { claim: Claim; result: string }[]): Sent<On, void> {
  return updateKeyResults(tx, rows);
}

/** Takes keys back whose requests came to nothing, so that they may be used again. */
export function releaseClaims<On extends Tx | Pipe>(tx: On, claims: readonly Claim[]): Sent<On, void> {
  return deleteKeys(tx, claims);
}
