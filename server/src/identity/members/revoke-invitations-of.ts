import { recordAudit } from "#audit/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { allRoles, mayInvite, type Role } from "../roles.ts";
import { updateInvitationsOfRevoked } from "./sql.ts";

/**
 * Ends the open invitations of a member that they could not send any more with the role that is left to them, null when they are out:
 * someone who lost a right must not keep using it through a link sent before.
 */
export async function revokeInvitationsOf(tx: Tx, ctx: Ctx, member: { merchant_id: string; person_id: string; left: Role | null }): Promise<void> {
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
