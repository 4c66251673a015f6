import { type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { InvitationRow, MemberRow } from "./sql.ts";

export function listMemberRows(db: Db, merchantId: string, cut: PageCut | null): PromiseLike<Rows<MemberRow>> & Fragment {
  return sql(db)<MemberRow>`
    select m.id, m.merchant_id, m.person_id, p.email, p.name, p.two_factor_enabled, m.role, m.new_owner_until,
      m.version, m.created_at, m.updated_at
    from members m join people p on p.id = m.person_id
    where m.merchant_id = ${merchantId} ${listEnd(db, sql(db)`m.id`, cut)}`;
}

export async function findMemberId(db: Db, merchantId: string, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`select id from members where merchant_id = ${merchantId} and id = ${id}`;
  return row?.id ?? null;
}

export function listInvitationRows(db: Db, merchantId: string, cut: PageCut | null): PromiseLike<Rows<InvitationRow>> & Fragment {
  return sql(db)<InvitationRow>`
    select id, merchant_id, email, role, language, invited_by, expires_at, accepted_at, revoked_at, created_at from invitations
    where merchant_id = ${merchantId} and accepted_at is null and revoked_at is null ${listEnd(db, sql(db)`id`, cut)}`;
}

export async function findInvitationId(db: Db, merchantId: string, id: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`select id from invitations where merchant_id = ${merchantId} and id = ${id}`;
  return row?.id ?? null;
}
