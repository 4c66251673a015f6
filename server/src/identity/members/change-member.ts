import { type Ctx, platformErrors } from "#platform/index.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Role } from "../roles.ts";
import { revokeInvitationsOf } from "./revoke-invitations-of.ts";
import { deleteMember, listMembers, lockMembers, type MemberRow, updateMemberRole } from "./sql.ts";

/** Who changes the team: an admin may not touch owners, nor make one. */
export interface TeamAct {
  merchant_id: string;
  member_id: string;
  by_role: Role;
  if_version: number | null;
}

/** Gives a member another role; open invitations that it does not allow them end. A merchant keeps at least one owner. */
export function changeMember(ctx: Ctx, input: TeamAct & { role: Role }): Promise<MemberRow> {
  return ctx.transact(async (tx) => {
    const members = await lockMembers(tx, input.merchant_id);
    const member = checkAct(members, input);
    if (input.role === "owner" && input.by_role !== "owner") throw ownersOnly();
    if (member.role === "owner" && input.role !== "owner") keepAnOwner(members);
    await updateMemberRole(tx, input.merchant_id, { id: member.id, role: input.role, now: ctx.now() });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: input.merchant_id,
      action: "member.role_changed",
      object_type: "member",
      object_id: member.id,
      detail: { person_id: member.person_id, role: input.role, previous_role: member.role },
    });
    await revokeInvitationsOf(tx, ctx, { merchant_id: input.merchant_id, person_id: member.person_id, left: input.role });
    const changed = (await listMembers(tx, input.merchant_id)).find((row) => row.id === member.id);
    if (changed === undefined) throw platformErrors.resource_missing({ param: "id" });
    return changed;
  });
}

/** Takes a member out, and back what invitations they sent; their sessions stay, but reach this merchant no more. */
export function removeMember(ctx: Ctx, input: TeamAct): Promise<{ id: string }> {
  return ctx.transact(async (tx) => {
    const members = await lockMembers(tx, input.merchant_id);
    const member = checkAct(members, input);
    if (member.role === "owner") keepAnOwner(members);
    await deleteMember(tx, input.merchant_id, member.id);
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: input.merchant_id,
      action: "member.removed",
      object_type: "member",
      object_id: member.id,
      detail: { person_id: member.person_id, role: member.role },
    });
    await revokeInvitationsOf(tx, ctx, { merchant_id: input.merchant_id, person_id: member.person_id, left: null });
    return { id: member.id };
  });
}

type Locked = Awaited<ReturnType<typeof lockMembers>>;

function checkAct(members: Locked, input: TeamAct): Locked[number] {
  const member = members.find((row) => row.id === input.member_id);
  if (member === undefined) throw platformErrors.resource_missing({ param: "id" });
  if (input.if_version !== null && input.if_version !== member.version) throw platformErrors.version_conflict();
  if (member.role === "owner" && input.by_role !== "owner") throw ownersOnly();
  return member;
}

const ownersOnly = () => platformErrors.permission_denied({ message: "Only an owner may make, change or remove owners." });

function keepAnOwner(members: Locked): void {
  if (members.filter(({ role }) => role === "owner").length < 2) {
    throw platformErrors.parameter_conflict({ message: "A merchant needs an owner: make somebody else one first." });
  }
}
