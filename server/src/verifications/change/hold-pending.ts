import { atNow, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { verificationErrors } from "../errors.ts";
import { type HeldVerification, lockVerifications } from "../rows/rows.sql.ts";

/** A locked verification, and the time at which it was locked. */
interface Holding {
  held: HeldVerification;
  pinned: Ctx;
}

/**
 * Locks a verification that still accepts codes. Throws resource_missing, and verification_state_conflict for one that has ended or
 * expired.
 */
export async function holdPending(tx: Tx, ctx: Ctx, { project_id, livemode, id }: Tenant & { id: string }): Promise<Holding> {
  const [held] = await lockVerifications(tx, [{ project_id, livemode, id }]);
  if (held === undefined) throw platformErrors.resource_missing({ param: "id" });
  if (held.status !== "pending")
    throw verificationErrors.verification_state_conflict({ message: `This verification is already ${held.status}.` });
  // Read once it is locked: a transaction that waits while it expires must not use the time before the wait.
  const pinned = await atNow(ctx, tx);
  if (held.expires_at <= pinned.now()) throw verificationErrors.verification_state_conflict({ message: "This verification has expired." });
  return { held, pinned };
}
