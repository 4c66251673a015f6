import { atNow, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { verificationErrors } from "../errors.ts";
import { type HeldVerification, lockVerifications } from "../rows/rows.sql.ts";

/** A verification that a transaction holds, and the time at which it was got hold of. */
interface Holding {
  held: HeldVerification;
  timed: Ctx;
}

/** Holds a verification that a code still counts for. Throws resource_missing, and verification_state_conflict for one that has ended or whose time is up. */
export async function holdPending(tx: Tx, ctx: Ctx, { project_id, livemode, id }: Tenant & { id: string }): Promise<Holding> {
  const [held] = await lockVerifications(tx, [{ project_id, livemode, id }]);
  if (held === undefined) throw platformErrors.resource_missing({ param: "id" });
  if (held.status !== "pending") throw verificationErrors.verification_state_conflict({ message: `This verification is already ${held.status}.` });
  // Asked once it is held: who waits for it while it expires must not find the time of before.
  const timed = await atNow(ctx, tx);
  if (held.expires_at <= timed.now()) throw verificationErrors.verification_state_conflict({ message: "This verification has expired." });
  return { held, timed };
}
