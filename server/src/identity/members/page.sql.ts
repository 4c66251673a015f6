import { type Db, sql } from "#platform/sql.ts";
import type { InvitationRow, MemberRow } from "./sql.ts";

export interface Listed {
  before: string | null;
  after: string | null;
  limit: number;
}

export async function listMemberPage(db: Db, merchantId: string, { before, after, limit }: Listed): Promise<MemberRow[]> {
  return await sql(db)<MemberRow>`
    select m.id, m.merchant_id, m.person_id, p.email, p.name, p.two_factor_enabled, m.role, m.new_owner_until, m.version, m.created_at, m.updated_at
    from members m join people p on p.id = m.person_id
    where m.merchant_id = ${merchantId} and (${before}::text is null or m.id < ${before}) and (${after}::text is null or m.id > ${after})
    order by ${after === null ? sql(db)`m.id desc` : sql(db)`m.id`} limit ${limit}`;
}

export async function findMemberId(db: Db, merchantId: string, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`select id from members where merchant_id = ${merchantId} and id = ${id}`;
  return row?.id ?? null;
}

export async function listInvitationPage(db: Db, merchantId: string, { before, after, limit }: Listed): Promise<InvitationRow[]> {
  return await sql(db)<InvitationRow>`
    select id, merchant_id, email, role, language, invited_by, expires_at, accepted_at, revoked_at, created_at from invitations
    where merchant_id = ${merchantId} and accepted_at is null and revoked_at is null
      and (${before}::text is null or id < ${before}) and (${after}::text is null or id > ${after})
    order by ${after === null ? sql(db)`id desc` : sql(db)`id`} limit ${limit}`;
}

export async function findInvitationId(db: Db, merchantId: string, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`select id from invitations where merchant_id = ${merchantId} and id = ${id}`;
  return row?.id ?? null;
}
