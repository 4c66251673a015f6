import { recordAudit } from "#audit/index.ts";
import { atNow, type Ctx, platformErrors, type Tx } from "#platform/index.ts";
import { listKeysOfPerson, revokeKeysOfPerson } from "../keys/keys-of-person.ts";
import type { ApiKey } from "../keys/show-api-key.ts";
import type { Role } from "../roles.ts";
import { longerWait, requireSettledOwner, waitOfGiver, waitOfOwner } from "./new-owner.ts";
import { notifyOwners } from "./notify-owners.ts";
import { revokeInvitationsOf } from "./revoke-invitations-of.ts";
import { deleteMember, listMembers, lockMembers, type MemberRow, updateMemberRole } from "./sql.ts";

/** A change of the team, and who makes it: an admin can't change owners or make someone an owner. */
export interface TeamAction {
  merchant_id: string;
  member_id: string;
  by_role: Role;
  if_version: number | null;
}

/** Changes a member's role, and revokes their open invitations that it doesn't permit. A merchant always has at least one owner. */
export function changeMember(ctx: Ctx, input: TeamAction & { role: Role }): Promise<MemberRow> {
  return ctx.transact(async (tx) => {
    const members = await lockMembers(tx, input.merchant_id);
    const pinned = await atNow(ctx, tx);
    const member = checkAction(members, input);
    if (input.role === "owner" && input.by_role !== "owner") throw ownersOnly();
    if (member.role === "owner" && input.role !== "owner") keepAnOwner(members);
    if (touchesOwners(ctx, member) || input.role === "owner") requireSettledOwner(pinned, members);
    if (member.role === input.role) return showMember(tx, input);
    const becomesOwner = member.role !== "owner" && input.role === "owner";
    const own = becomesOwner ? waitOfOwner(pinned.now(), { role: "owner", others: members }) : member.new_owner_until;
    const new_owner_until = longerWait(own, waitOfGiver(pinned.now(), { given_by: ctx.actor.id, members }));
    await updateMemberRole(tx, input.merchant_id, { id: member.id, role: input.role, new_owner_until });
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
    const change = { before: member.role, after: input.role, new_owner_until: becomesOwner ? new_owner_until : null };
    await notifyOwners(tx, ctx, { merchant_id: input.merchant_id, members, person: { ...member, id: member.person_id }, ...change });
    return showMember(tx, input);
  });
}

async function showMember(tx: Tx, { merchant_id, member_id }: TeamAction): Promise<MemberRow> {
  const member = (await listMembers(tx, merchant_id)).find((row) => row.id === member_id);
  if (member === undefined) throw platformErrors.resource_missing({ param: "id" });
  return member;
}

/** The result for a member's keys: the ids that were revoked, and the keys that still work. */
export interface Removal {
  id: string;
  revoked_api_keys: string[];
  api_keys: ApiKey[];
}

/**
 * Removes a member and revokes the invitations they sent; their sessions remain, but no longer reach this merchant. Their keys still work,
 * because shops run on them, except those in `revoke_api_keys`.
 */
export function removeMember(ctx: Ctx, input: TeamAction & { revoke_api_keys: readonly string[] }): Promise<Removal> {
  return ctx.transact(async (tx) => {
    const members = await lockMembers(tx, input.merchant_id);
    const pinned = await atNow(ctx, tx);
    const member = checkAction(members, input);
    if (member.role === "owner") keepAnOwner(members);
    if (touchesOwners(ctx, member)) requireSettledOwner(pinned, members);
    const { merchant_id } = input;
    const keys = await revokeKeysOfPerson(tx, ctx, { merchant_id, person_id: member.person_id, ids: input.revoke_api_keys });
    if (keys.ended.some(({ livemode }) => livemode)) requireSettledOwner(pinned, members);
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
    const change = { before: member.role, after: null, new_owner_until: null };
    await notifyOwners(tx, ctx, { merchant_id: input.merchant_id, members, person: { ...member, id: member.person_id }, ...change });
    return { id: member.id, revoked_api_keys: keys.ended.map(({ id }) => id), api_keys: keys.left };
  });
}

/** The active keys that a member created. */
export async function listKeysOfMember(ctx: Ctx, input: { merchant_id: string; member_id: string }): Promise<ApiKey[]> {
  const member = (await listMembers(ctx.db, input.merchant_id)).find(({ id }) => id === input.member_id);
  if (member === undefined) throw platformErrors.resource_missing({ param: "id" });
  return listKeysOfPerson(ctx, { merchant_id: input.merchant_id, person_id: member.person_id });
}

type Locked = Awaited<ReturnType<typeof lockMembers>>;

function checkAction(members: Locked, input: TeamAction): Locked[number] {
  const member = members.find((row) => row.id === input.member_id);
  if (member === undefined) throw platformErrors.resource_missing({ param: "id" });
  if (input.if_version !== null && input.if_version !== member.version)
    throw platformErrors.version_conflict({ fields: { version: member.version } });
  if (member.role === "owner" && input.by_role !== "owner") throw ownersOnly();
  return member;
}

/** Giving up one's own role harms no other owner. */
const touchesOwners = (ctx: Ctx, member: MemberRow) => member.role === "owner" && member.person_id !== ctx.actor.id;

const ownersOnly = () => platformErrors.permission_denied({ message: "Only owners can add, change or remove owners." });

function keepAnOwner(members: Locked): void {
  if (members.filter(({ role }) => role === "owner").length < 2) {
    throw platformErrors.parameter_conflict({
      reason: "last_owner",
      message: "A merchant needs at least one owner: make someone else an owner first.",
    });
  }
}
