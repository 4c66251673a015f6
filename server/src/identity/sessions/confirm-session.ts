import { type Ctx, platformErrors } from "#platform/index.ts";
import { verifyPassword } from "../password/hash-password.ts";
import { findPassword } from "../password/sql.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { updateConfirmed } from "../people/sql.ts";

/** How a person confirmed their identity again. */
export type Proof = "password" | "code" | "passkey";

/**
 * Records that a person confirmed their identity again: for ten minutes the session counts as recently confirmed. The caller has checked
 * the proof.
 */
export async function confirmSession(ctx: Ctx, input: { person_id: string; session_id: string; by: Proof }): Promise<Date> {
  return ctx.transact(async (tx) => {
    const confirmed_at = (await updateConfirmed(tx, input.session_id)) ?? ctx.now();
    await recordPersonAction(tx, ctx, { person_id: input.person_id, action: "person.confirmed", detail: { by: input.by } });
    return confirmed_at;
  });
}

/** Throws parameter_invalid unless this is the person's password. */
export async function checkPassword(ctx: Pick<Ctx, "db">, input: { person_id: string; password: string }): Promise<void> {
  const stored = await findPassword(ctx.db, input.person_id);
  if (stored === null || !(await verifyPassword(input.password, stored))) {
    throw platformErrors.parameter_invalid({ param: "password", reason: "password_wrong", message: "The password is wrong." });
  }
}
