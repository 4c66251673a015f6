import { auditIfPerson } from "#audit/index.ts";
import { countApproved } from "#guards/index.ts";
import { AppError, type Ctx, type Tenant } from "#platform/index.ts";
import { isRightCode } from "../derive-code.ts";
import { noPending } from "../read/find-verification.ts";
import type { HeldVerification } from "../rows/rows.sql.ts";
import type { VerificationRow } from "../shapes.ts";
import { changeVerifications, plainOf } from "./change-verifications.ts";
import { holdPending } from "./hold-pending.ts";

/**
 * Compares a code. The right one approves; a wrong one is counted, and the last allowed one fails the verification. Checks of one
 * verification run one after the other, so that no more run than allowed. Throws resource_missing, verification_state_conflict.
 */
export async function checkCode(ctx: Ctx, tenant: Tenant, { id, code }: { id: string; code: string }): Promise<VerificationRow> {
  return ctx.transact(async (tx) => {
    const { held, pinned } = await holdPending(tx, ctx, { ...tenant, id });
    const to = checked(ctx, held, code);
    // Before messages are withdrawn: acceptance also locks the traffic counters first and the spending last.
    if (to.status === "approved")
      await countApproved(tx, tenant, { channels: held.sends.map(({ channel }) => channel), recipient: held.recipient });
    await changeVerifications(tx, pinned, { held: [held], change: () => ({ to }) });
    const detail = { status: held.status, attempts_left: held.checks_left };
    await auditIfPerson(tx, { ctx: pinned, tenant, action: "verification.checked", object_type: "verification", object_id: id, detail });
    return plainOf(held);
  });
}

/**
 * The same for a recipient's newest pending verification. Throws resource_missing if it has ended in the meantime, because none is pending
 * then.
 */
export function checkNewestCode(ctx: Ctx, tenant: Tenant, given: { id: string; code: string }): Promise<VerificationRow> {
  return checkCode(ctx, tenant, given).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "verification_state_conflict" ? noPending() : error;
  });
}

function checked({ masterKeys }: Ctx, row: HeldVerification, code: string): Partial<HeldVerification> {
  if (row.code_mac !== null && isRightCode(masterKeys, row, { code, mac: row.code_mac })) return { status: "approved" };
  const checks_left = row.checks_left - 1;
  return checks_left > 0 ? { checks_left } : { checks_left, status: "failed" };
}
