import { type Ctx, isUniqueViolation, platformErrors, type Tx } from "#platform/index.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Role } from "../roles.ts";
import { insertMember } from "./sql.ts";

export interface NewMember {
  merchant_id: string;
  person_id: string;
  role: Role;
}

/** Makes a person a member of a merchant. */
export async function addMember(ctx: Ctx, input: NewMember): Promise<{ id: string }> {
  try {
    return await ctx.transact((tx) => joinMerchant(tx, ctx, input));
  } catch (error) {
    if (!isUniqueViolation(error, "members_merchant_id_person_id_key")) throw error;
    throw platformErrors.parameter_conflict({ message: "This person is a member already.", cause: error });
  }
}

/** The rows of a new member, in the transaction of their cause. */
export async function joinMerchant(tx: Tx, ctx: Ctx, input: NewMember): Promise<{ id: string }> {
  const id = ctx.id("mem");
  await insertMember(tx, { ...input, id, now: ctx.now() });
  await recordAudit(tx, {
    ctx,
    tenant: null,
    merchant_id: input.merchant_id,
    action: "member.added",
    object_type: "member",
    object_id: id,
    detail: { person_id: input.person_id, role: input.role },
  });
  return { id };
}
