import { type Ctx, type Db, platformErrors } from "#platform/index.ts";
import { findInvitationId, findMemberId, type Listed, listInvitationPage, listMemberPage } from "./page.sql.ts";
import { type InvitationRow, listMemberships, type MemberRow, type Membership } from "./sql.ts";

export interface TeamPage {
  merchant_id: string;
  limit: number;
  starting_after?: string;
  ending_before?: string;
}

interface Found<Row> {
  rows: Row[];
  has_more: boolean;
}

/** The members of a merchant, newest first. Throws invalid_cursor. */
export function listTeam(ctx: Pick<Ctx, "db">, page: TeamPage): Promise<Found<MemberRow>> {
  return read(ctx.db, page, { find: findMemberId, list: listMemberPage });
}

/** Invitations of a merchant that were neither accepted nor revoked, newest first; some may have expired. Throws invalid_cursor. */
export function listInvitations(ctx: Pick<Ctx, "db">, page: TeamPage): Promise<Found<InvitationRow>> {
  return read(ctx.db, page, { find: findInvitationId, list: listInvitationPage });
}

/** The merchants that a person belongs to, with their role, the oldest membership first. */
export function listMerchantsOfPerson(db: Db, personId: string): Promise<Membership[]> {
  return listMemberships(db, personId);
}

interface Reading<Row> {
  find(db: Db, merchantId: string, id: string): Promise<string | null>;
  list(db: Db, merchantId: string, page: Listed): Promise<Row[]>;
}

async function read<Row>(db: Db, page: TeamPage, reading: Reading<Row>): Promise<Found<Row>> {
  const { merchant_id, limit, starting_after: before = null, ending_before: after = null } = page;
  const cursor = before ?? after;
  if (cursor !== null && (await reading.find(db, merchant_id, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: before === null ? "ending_before" : "starting_after" });
  }
  const rows = await reading.list(db, merchant_id, { before, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return { rows: after === null ? shown : shown.reverse(), has_more: rows.length > limit };
}
