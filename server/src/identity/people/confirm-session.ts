import { type Ctx, platformErrors } from "#platform/index.ts";
import { verifyPassword } from "../sign-in/password.ts";
import { findPassword } from "../sign-in/sql.ts";
import { recordPersonAct } from "./record-person-act.ts";
import { updateConfirmed } from "./sql.ts";

/** The person proves by password that they are still there: for ten minutes the session counts as fresh. */
export async function confirmSession(ctx: Ctx, input: { person_id: string; session_id: string; password: string }): Promise<Date> {
  const stored = await findPassword(ctx.db, input.person_id);
  if (stored === null || !(await verifyPassword(input.password, stored))) {
    throw platformErrors.parameter_invalid({ param: "password", message: "The password is wrong." });
  }
  return ctx.transact(async (tx) => {
    const now = ctx.now();
    await updateConfirmed(tx, input.session_id, now);
    await recordPersonAct(tx, ctx, { person_id: input.person_id, action: "person.confirmed" });
    return now;
  });
}
