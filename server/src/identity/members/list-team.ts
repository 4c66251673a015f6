import type { Db } from "#platform/index.ts";
import { type InvitationRow, listMembers, listMemberships, listOpenInvitations, type MemberRow, type Membership } from "./sql.ts";

/** The members of a merchant, newest first. */
export function listTeam(db: Db, merchantId: string): Promise<MemberRow[]> {
  return listMembers(db, merchantId);
}

/** Invitations of a merchant that were neither accepted nor revoked, newest first; some may have expired. */
export function listInvitations(db: Db, merchantId: string): Promise<InvitationRow[]> {
  return listOpenInvitations(db, merchantId);
}

/** The merchants that a person belongs to, with their role, the oldest membership first. */
export function listMerchantsOfPerson(db: Db, personId: string): Promise<Membership[]> {
  return listMemberships(db, personId);
}
