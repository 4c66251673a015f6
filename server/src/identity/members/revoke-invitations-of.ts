import { recordAudit } from "#audit/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { allRoles, mayInvite, type Role } from "../roles.ts";
import { updateInvitationsOfRevoked } from "./sql.ts";

/**
 * Revokes the open invitations that a member couldn't send anymore with their remaining role, or with none (null): someone who lost a right
 * must not continue to use it through a link sent earlier.
 */
export async function revokeInvitationsOf(
  tx: Tx,
  ctx: Ctx,
  member: { merchant_id: string; person_id: string; left: Role | null },
): Promise<void> {
  const { merchant_id, person_id, left } = member;
  const roles = allRoles.filter((role) => left === null || !mayInvite(left, role));
  const revoked = await updateInvitationsOfRevoked(tx, merchant_id, { invited_by: person_id, roles });
  for (const { id, email } of revoked) {
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id,
      action: "invitation.revoked",
      object_type: "invitation",
      object_id: id,
      detail: { email, reason: left === null ? "inviter_removed" : "inviter_role_changed" },
    });
  }
}
