import { createHash, randomBytes } from "node:crypto";
import { recordAudit } from "#audit/index.ts";
import { atNow, type Ctx, type Language, notice, platformErrors, type Tx } from "#platform/index.ts";
import { limitInvitations } from "../attempts/limit-invitations.ts";
import { findMerchantRow, type MerchantRow } from "../merchants/sql.ts";
import { mayInvite, type Role } from "../roles.ts";
import { requireSettledOwner } from "./new-owner.ts";
import {
  type InvitationRow,
  insertInvitation,
  listMembers,
  lockOpenInvitation,
  type MemberRow,
  updateInvitationReplaced,
  updateInvitationRevoked,
} from "./sql.ts";

export interface NewInvitation {
  merchant_id: string;
  email: string;
  role: Role;
  language: Language;
  by: { person_id: string; name: string; role: Role };
}

const invitationDays = 7;

/** The hash of an invitation's token that the database stores. */
export function hashInvitation(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Invites a person by email. A new invitation to the same address replaces the old one, whose link stops working. */
export function inviteMember(ctx: Ctx, input: NewInvitation): Promise<InvitationRow> {
  if (!mayInvite(input.by.role, input.role)) throw ownersOnly();
  const email = input.email.trim().toLowerCase();
  const token = randomBytes(32).toString("base64url");
  return ctx.transact(async (tx) => {
    const merchant = await inviting(tx, input);
    const members = await listMembers(tx, input.merchant_id);
    const pinned = await atNow(ctx, tx);
    const now = pinned.now();
    checkRoom(members, email);
    await keepOwnersInvitation(tx, pinned, { merchant_id: input.merchant_id, by_role: input.by.role, members, which: { email } });
    if (input.role === "owner") requireSettledOwner(pinned, members);
    await updateInvitationReplaced(tx, input.merchant_id, { email });
    const row = await insertInvitation(
      tx,
      {
        merchant_id: input.merchant_id,
        id: ctx.id("inv"),
        email,
        role: input.role,
        language: input.language,
        invited_by: input.by.person_id,
        expires_at: new Date(now.getTime() + invitationDays * 86_400_000),
        created_at: now,
      },
      hashInvitation(token),
    );
    const url = `${ctx.publicUrl}/dashboard/invitation?token=${token}`;
    const params = {
      language: input.language,
      url,
      merchant_name: merchant.display_name,
      invited_by: input.by.name,
      role: input.role,
      expires_at: row.expires_at,
      verified: merchant.verification_status === "verified",
    };
    await notice(tx, ctx, { kind: "invitation", recipient: email, params });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: input.merchant_id,
      action: "invitation.created",
      object_type: "invitation",
      object_id: row.id,
      detail: { email, role: input.role },
    });
    return row;
  });
}

/** Locks the merchant and counts one more invitation. */
async function inviting(tx: Tx, { merchant_id, by }: NewInvitation): Promise<MerchantRow> {
  const merchant = await findMerchantRow(tx, merchant_id);
  if (merchant === null) throw platformErrors.resource_missing();
  await limitInvitations(tx, { merchant, person_id: by.person_id });
  return merchant;
}

function checkRoom(members: MemberRow[], email: string): void {
  if (members.some((member) => member.email === email)) {
    throw platformErrors.parameter_conflict({ param: "email", reason: "already_member", message: "This person is already a member." });
  }
  if (members.length >= 200) throw platformErrors.limit_reached({ message: "A merchant can have up to 200 members." });
}

const ownersOnly = () => platformErrors.permission_denied({ message: "Only owners can add, change or remove owners." });

interface OwnersInvitation {
  merchant_id: string;
  by_role: Role;
  members: readonly MemberRow[];
  which: { id: string } | { email: string };
}

/** Only owners can change an open invitation to become an owner, as with owners. */
async function keepOwnersInvitation(tx: Tx, ctx: Ctx, { merchant_id, by_role, members, which }: OwnersInvitation): Promise<void> {
  const open = await lockOpenInvitation(tx, merchant_id, which);
  if (open === null) return;
  if (!mayInvite(by_role, open.role)) throw ownersOnly();
  if (open.role === "owner") requireSettledOwner(ctx, members);
}

/** Revokes an invitation's link. */
export function revokeInvitation(ctx: Ctx, input: { merchant_id: string; id: string; by_role: Role }): Promise<InvitationRow> {
  return ctx.transact(async (tx) => {
    const members = await listMembers(tx, input.merchant_id);
    await keepOwnersInvitation(tx, await atNow(ctx, tx), { ...input, members, which: { id: input.id } });
    const row = await updateInvitationRevoked(tx, input.merchant_id, { id: input.id });
    if (row === null) throw platformErrors.resource_missing({ param: "id" });
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: input.merchant_id,
      action: "invitation.revoked",
      object_type: "invitation",
      object_id: row.id,
      detail: { email: row.email },
    });
    return row;
  });
}
