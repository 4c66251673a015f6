import { type Ctx, platformErrors } from "#platform/index.ts";
import { hashPassword, type PasswordWork } from "../password/hash-password.ts";
import { updatePassword } from "../password/sql.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { deleteHandedOut, deleteProofs, deleteSessions, findPersonByEmail, type PersonRow } from "../people/sql.ts";

export interface Recovery {
  email: string;
  /** Replaces the old password; if absent, that remains. */
  password?: string;
  passwordWork: PasswordWork;
}

/**
 * Restores access for a person who lost their second step: it, their passkeys, sessions and open links end. Only for the operator of the
 * server; the person is notified.
 */
export async function recoverPerson(ctx: Ctx, input: Recovery): Promise<PersonRow> {
  const password = input.password === undefined ? null : await hashPassword(input.password, input.passwordWork);
  return ctx.transact(async (tx) => {
    const person = await findPersonByEmail(tx, input.email.trim());
    if (person === null) throw platformErrors.resource_missing({ param: "email", message: "There is no account with this address." });
    await deleteProofs(tx, person.id);
    await deleteSessions(tx, person.id, null);
    await deleteHandedOut(tx, person.id);
    if (password !== null) await updatePassword(tx, { person_id: person.id, password });
    await recordPersonAction(tx, ctx, {
      person_id: person.id,
      action: "person.recovered",
      detail: { new_password: password !== null },
      notify: true,
    });
    return person;
  });
}
