import { type Ctx, type Db, type Page, type PageQuery, readPage } from "#platform/index.ts";
import { findInvitationId, findMemberId, listInvitationRows, listMemberRows } from "./page.sql.ts";
import { type InvitationRow, listMemberships, type MemberRow, type Membership } from "./sql.ts";

interface TeamQuery extends PageQuery {
  merchant_id: string;
}

/** The members of a merchant, newest first. Throws invalid_cursor. */
export function listTeam(ctx: Pick<Ctx, "db">, query: TeamQuery): Promise<Page<MemberRow>> {
  const { merchant_id } = query;
  return readPage(ctx.db, query, {
    find: (cut) => listMemberRows(ctx.db, merchant_id, cut),
    place: (id) => findMemberId(ctx.db, merchant_id, id),
  });
}

/** Invitations of a merchant that were neither accepted nor revoked, newest first; some may have expired. Throws invalid_cursor. */
export function listInvitations(ctx: Pick<Ctx, "db">, query: TeamQuery): Promise<Page<InvitationRow>> {
  const { merchant_id } = query;
  return readPage(ctx.db, query, {
    find: (cut) => listInvitationRows(ctx.db, merchant_id, cut),
    place: (id) => findInvitationId(ctx.db, merchant_id, id),
  });
}

/** The merchants that a person belongs to, with their role, the oldest membership first. */
export function listMerchantsOfPerson(db: Db, personId: string): Promise<Membership[]> {
  return listMemberships(db, personId);
}
