import type { Language } from "#platform/index.ts";
import { byKey, type Db, sql, type Tx } from "#platform/sql.ts";
import type { Role } from "../roles.ts";

export interface MemberRow {
  id: string;
  merchant_id: string;
  person_id: string;
  email: string;
  name: string;
  two_factor_enabled: boolean;
  role: Role;
  /** Until when an additional owner can't change LIVE codes, LIVE keys, LIVE gateway accounts or owners. */
  new_owner_until: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface InvitationRow {
  id: string;
  merchant_id: string;
  email: string;
  role: Role;
  language: Language;
  invited_by: string;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
}

export async function insertMember(
  tx: Tx,
  row: Pick<MemberRow, "merchant_id" | "id" | "person_id" | "role" | "new_owner_until" | "created_at">,
): Promise<void> {
  await sql(tx)`
    insert into members (merchant_id, id, person_id, role, new_owner_until, created_at, updated_at)
    values (${row.merchant_id}, ${row.id}, ${row.person_id}, ${row.role}, ${row.new_owner_until}, ${row.created_at}, ${row.created_at})`;
}

export async function listMembers(db: Db, merchantId: string): Promise<MemberRow[]> {
  return await sql(db)<MemberRow>`
    select m.id, m.merchant_id, m.person_id, p.email, p.name, p.two_factor_enabled, m.role, m.new_owner_until,
      m.version, m.created_at, m.updated_at
    from members m join people p on p.id = m.person_id where m.merchant_id = ${merchantId} order by m.id desc`;
}

/** All members of a merchant, locked, so that two concurrent changes can't leave it without an owner. */
export async function lockMembers(tx: Tx, merchantId: string): Promise<MemberRow[]> {
  return await sql(tx)<MemberRow>`
    select m.id, m.merchant_id, m.person_id, p.email, p.name, p.two_factor_enabled, m.role, m.new_owner_until,
      m.version, m.created_at, m.updated_at
    from members m join people p on p.id = m.person_id where m.merchant_id = ${merchantId} order by m.id for update of m`;
}

export async function updateMemberRole(
  tx: Tx,
  merchantId: string,
  given: Pick<MemberRow, "id" | "role" | "new_owner_until">,
): Promise<void> {
  await sql(tx)`
    update members set role = ${given.role}, new_owner_until = ${given.new_owner_until}, version = version + 1, updated_at = app_now()
    where merchant_id = ${merchantId} and id = ${given.id}`;
}

export async function deleteMember(tx: Tx, merchantId: string, id: string): Promise<void> {
  await sql(tx)`delete from members where merchant_id = ${merchantId} and id = ${id}`;
}

export interface Membership {
  merchant_id: string;
  merchant_name: string;
  verification_status: string;
  second_step_required: boolean;
  role: Role;
}

export async function listMemberships(db: Db, personId: string): Promise<Membership[]> {
  return await sql(db)<Membership>`
    select m.merchant_id, mer.display_name as merchant_name, mer.verification_status, mer.second_step_required, m.role
    from members m join merchants mer on mer.id = m.merchant_id where m.person_id = ${personId} order by m.created_at, m.merchant_id`;
}

export async function insertInvitation(
  tx: Tx,
  row: Pick<InvitationRow, "merchant_id" | "id" | "email" | "role" | "language" | "invited_by" | "expires_at" | "created_at">,
  tokenHash: Buffer,
): Promise<InvitationRow> {
  const [inserted] = await sql(tx)<InvitationRow>`
    insert into invitations (merchant_id, id, email, role, token_hash, language, invited_by, expires_at, created_at)
    values (${row.merchant_id}, ${row.id}, ${row.email}, ${row.role}, ${tokenHash}, ${row.language},
      ${row.invited_by}, ${row.expires_at}, ${row.created_at})
    returning id, merchant_id, email, role, language, invited_by, expires_at, accepted_at, revoked_at, created_at`;
  return inserted as InvitationRow;
}

/** The open invitation with this id or to this address, locked. */
export async function lockOpenInvitation(
  tx: Tx,
  merchantId: string,
  given: { id: string } | { email: string },
): Promise<{ id: string; role: Role } | null> {
  const which = "id" in given ? sql(tx)`id = ${given.id}` : sql(tx)`email = ${given.email}`;
  const [row] = await sql(tx)<{ id: string; role: Role }>`
    select id, role from invitations
    where merchant_id = ${merchantId} and ${which} and accepted_at is null and revoked_at is null for update`;
  return row ?? null;
}

export async function updateInvitationRevoked(tx: Tx, merchantId: string, given: { id: string }): Promise<InvitationRow | null> {
  const [row] = await sql(tx)<InvitationRow>`
    update invitations set revoked_at = app_now()
    where merchant_id = ${merchantId} and id = ${given.id} and accepted_at is null and revoked_at is null
    returning id, merchant_id, email, role, language, invited_by, expires_at, accepted_at, revoked_at, created_at`;
  return row ?? null;
}

/** Revokes the open invitations to these roles that one person sent. */
export async function updateInvitationsOfRevoked(
  tx: Tx,
  merchantId: string,
  given: { invited_by: string; roles: readonly Role[] },
): Promise<Pick<InvitationRow, "id" | "email">[]> {
  return await sql(tx)<Pick<InvitationRow, "id" | "email">>`
    update invitations set revoked_at = app_now()
    where merchant_id = ${merchantId} and invited_by = ${given.invited_by} and role = any(${given.roles as Role[]}::text[])
      and accepted_at is null and revoked_at is null
    returning id, email`;
}

/** Ends the open invitation for an address, so that a new one can replace it. */
export async function updateInvitationReplaced(tx: Tx, merchantId: string, given: { email: string }): Promise<void> {
  await sql(tx)`
    update invitations set revoked_at = app_now()
    where merchant_id = ${merchantId} and email = ${given.email} and accepted_at is null and revoked_at is null`;
}

export interface FoundInvitation extends InvitationRow {
  merchant_name: string;
  /** The sender's current role at the merchant; null if they are no longer a member. */
  inviter_role: Role | null;
}

export async function findInvitation(db: Db, tokenHash: Buffer): Promise<FoundInvitation | null> {
  const [row] = await byKey(db)<FoundInvitation>`
    select i.id, i.merchant_id, i.email, i.role, i.language, i.invited_by, i.expires_at, i.accepted_at, i.revoked_at, i.created_at,
      m.display_name as merchant_name, by.role as inviter_role
    from invitations i join merchants m on m.id = i.merchant_id
    left join members by on by.merchant_id = i.merchant_id and by.person_id = i.invited_by
    where i.token_hash = ${tokenHash}`;
  return row ?? null;
}

export async function updateInvitationAccepted(tx: Tx, merchantId: string, given: { id: string; person_id: string }): Promise<boolean> {
  const rows = await sql(tx)`
    update invitations set accepted_at = app_now(), accepted_by = ${given.person_id}
    where merchant_id = ${merchantId} and id = ${given.id} and accepted_at is null and revoked_at is null and expires_at > app_now()`;
  return rows.count === 1;
}
