import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, isUniqueViolation, platformErrors, type Tx } from "#platform/index.ts";
import { findPerson } from "../people/sql.ts";
import type { Role } from "../roles.ts";
import { longerWait, waitOfGiver, waitOfOwner } from "./new-owner.ts";
import { notifyOwners } from "./notify-owners.ts";
import { insertMember, lockMembers } from "./sql.ts";

export interface NewMember {
  merchant_id: string;
  person_id: string;
  role: Role;
  /** Whose invitation it was: an additional owner then waits a day before they can change LIVE codes, LIVE keys and owners. */
  invited_by?: string;
}

/** Adds a person to a merchant, on the operator's command. */
export async function addMember(ctx: Ctx, input: NewMember): Promise<{ id: string }> {
  try {
    return await ctx.transact((tx) => joinMerchant(tx, ctx, input));
  } catch (error) {
    if (!isUniqueViolation(error, "members_merchant_id_person_id_key")) throw error;
    throw platformErrors.parameter_conflict({ reason: "already_member", message: "This person is already a member.", cause: error });
  }
}

/** Inserts the rows of a new member, in the transaction that causes it. Existing owners are notified of a new owner or admin. */
export async function joinMerchant(tx: Tx, ctx: Ctx, { invited_by, ...input }: NewMember): Promise<{ id: string }> {
  const id = ctx.id("mem");
  const members = await lockMembers(tx, input.merchant_id);
  const now = await findNow(tx);
  const new_owner_until =
    invited_by === undefined
      ? null
      : longerWait(waitOfOwner(now, { role: input.role, others: members }), waitOfGiver(now, { given_by: invited_by, members }));
  await insertMember(tx, { ...input, id, new_owner_until, created_at: now });
  await recordAudit(tx, {
    ctx,
    tenant: null,
    merchant_id: input.merchant_id,
    action: "member.added",
    object_type: "member",
    object_id: id,
    detail: { person_id: input.person_id, role: input.role },
  });
  const person = await findPerson(tx, input.person_id);
  const change = { before: null, after: input.role, new_owner_until: input.role === "owner" ? new_owner_until : null };
  if (person !== null) await notifyOwners(tx, ctx, { merchant_id: input.merchant_id, members, person, ...change });
  return { id };
}
