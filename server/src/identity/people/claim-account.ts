import { type Ctx, type Language, refuseAddressesIn, type Tx } from "#platform/index.ts";
import { updatePassword } from "../password/sql.ts";
import { recordPersonAction } from "./record-person-action.ts";
import { deleteHandedOut, deleteProofs, deleteSessions, lockUnconfirmed, type PersonRow, updateClaimed } from "./sql.ts";

/**
 * Gives an account whose address was never confirmed to the person who has just proved that the address is theirs; null if there is none.
 * Someone else may have created it, so what opened it before no longer does. `password` is already hashed.
 */
export async function claimAccount(
  tx: Tx,
  ctx: Ctx,
  input: { email: string; name: string; language: Language; password: string },
): Promise<PersonRow | null> {
  refuseAddressesIn({ name: input.name });
  const account = await lockUnconfirmed(tx, input.email);
  if (account === null) return null;
  const person_id = account.id;
  await deleteProofs(tx, person_id);
  await deleteSessions(tx, person_id, null);
  await deleteHandedOut(tx, person_id);
  await updatePassword(tx, { person_id, password: input.password });
  const person = await updateClaimed(tx, person_id, input);
  for (const action of ["person.email_verified", "person.password_reset"]) await recordPersonAction(tx, ctx, { person_id, action });
  return person;
}
