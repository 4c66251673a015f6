import { type Ctx, findNow, isUniqueViolation, type Language, platformErrors, type Tx } from "#platform/index.ts";
import { hashPassword, type PasswordWork } from "../password/hash-password.ts";
import { refuseWeakPassword } from "../password/refuse-weak-password.ts";
import { claimAccount } from "../people/claim-account.ts";
import { addPerson } from "../people/create-person.ts";
import { findPersonByEmail, type PersonRow } from "../people/sql.ts";
import { mayInvite } from "../roles.ts";
import { joinMerchant } from "./add-member.ts";
import { hashInvitation } from "./invite-member.ts";
import { type FoundInvitation, findInvitation, type InvitationRow, listMemberships, updateInvitationAccepted } from "./sql.ts";

const gone = () =>
  platformErrors.parameter_invalid({
    param: "token",
    reason: "invitation_ended",
    message: "This invitation is no longer valid. Ask for a new one.",
  });

export interface OpenInvitation extends Pick<InvitationRow, "email" | "role" | "language" | "expires_at"> {
  merchant_name: string;
  /** True if the invited person signs in instead of choosing a password. */
  has_account: boolean;
}

/** What an invitation's link shows its holder. Throws parameter_invalid for a link that has ended. */
export async function readInvitation(ctx: Pick<Ctx, "db">, token: string): Promise<OpenInvitation> {
  const row = await findInvitation(ctx.db, hashInvitation(token));
  if (row === null || row.accepted_at !== null || row.revoked_at !== null || row.expires_at <= (await findNow(ctx.db)) || !isBacked(row))
    throw gone();
  const { email, role, language, expires_at, merchant_name } = row;
  // Anyone can create an account for an address, and only its confirmation shows that it is theirs.
  const has_account = (await findPersonByEmail(ctx.db, email))?.email_verified === true;
  return { email, role, language, expires_at, merchant_name, has_account };
}

/** The sender must still have the right: an invitation sent at the same moment as its sender's removal wasn't revoked with the others. */
function isBacked({ inviter_role, role }: FoundInvitation): boolean {
  return inviter_role !== null && mayInvite(inviter_role, role);
}

export interface Acceptance {
  token: string;
  /** The signed-in person; null if there is none. */
  person: { id: string; email: string } | null;
  name?: string;
  password?: string;
  language?: Language;
  passwordWork: PasswordWork;
}

/**
 * Joins the merchant: as the signed-in person that the invitation is for, or with a new account for its address, which the link has
 * confirmed.
 */
export async function acceptInvitation(ctx: Ctx, given: Acceptance): Promise<{ merchant_id: string; person_id: string }> {
  const tokenHash = hashInvitation(given.token);
  const open = await readInvitation(ctx, given.token);
  // A new account doesn't depend on someone else who is signed in in this browser.
  const isNew = given.password !== undefined && !open.has_account;
  const input = { ...given, person: isNew ? null : given.person };
  const password = input.person === null ? await passwordOf(open, input) : null;
  try {
    return await join(ctx, input, { tokenHash, password });
  } catch (error) {
    // The same link was used twice at once: the other request created the account.
    if (isUniqueViolation(error, "people_email_key")) throw gone();
    throw error;
  }
}

function join(
  ctx: Ctx,
  input: Acceptance,
  { tokenHash, password }: { tokenHash: Buffer; password: string | null },
): Promise<{ merchant_id: string; person_id: string }> {
  return ctx.transact(async (tx) => {
    const invitation = await findInvitation(tx, tokenHash);
    if (invitation === null || !isBacked(invitation)) throw gone();
    const person = password === null ? await knownPerson(tx, input, invitation) : await newPerson(tx, ctx, { input, invitation, password });
    const acting: Ctx = { ...ctx, actor: { kind: "person", id: person.id } };
    const { merchant_id } = invitation;
    if (!(await updateInvitationAccepted(tx, merchant_id, { id: invitation.id, person_id: person.id }))) throw gone();
    if (!(await listMemberships(tx, person.id)).some((membership) => membership.merchant_id === merchant_id)) {
      await joinMerchant(tx, acting, { merchant_id, person_id: person.id, role: invitation.role, invited_by: invitation.invited_by });
    }
    return { merchant_id, person_id: person.id };
  });
}

async function passwordOf(open: OpenInvitation, input: Acceptance): Promise<string> {
  if (open.has_account)
    throw platformErrors.parameter_conflict({
      reason: "sign_in_to_accept",
      values: { email: open.email },
      message: `Sign in as ${open.email} to accept this invitation.`,
    });
  if (input.password === undefined)
    throw platformErrors.parameter_missing({ param: "password", reason: "required", message: "Choose a password for the new account." });
  if (input.name === undefined) throw platformErrors.parameter_missing({ param: "name", reason: "required", message: "Enter your name." });
  refuseWeakPassword({ text: input.password, param: "password", about: [open.email, input.name, open.merchant_name] });
  return await hashPassword(input.password, input.passwordWork);
}

async function knownPerson(tx: Tx, { person }: Acceptance, invitation: InvitationRow): Promise<Pick<PersonRow, "id">> {
  const known = person === null ? null : await findPersonByEmail(tx, person.email);
  if (known === null || known.email !== invitation.email) {
    throw platformErrors.parameter_conflict({
      reason: "invitation_for_other",
      values: { email: invitation.email },
      message: `This invitation is for ${invitation.email}. Sign in with that address.`,
    });
  }
  return known;
}

interface Newcomer {
  input: Acceptance;
  invitation: InvitationRow;
  password: string;
}

async function newPerson(tx: Tx, ctx: Ctx, { input, invitation, password }: Newcomer): Promise<PersonRow> {
  const person = { email: invitation.email, name: input.name ?? "", language: input.language ?? invitation.language, password };
  return (await claimAccount(tx, ctx, person)) ?? (await addPerson(tx, ctx, person));
}
