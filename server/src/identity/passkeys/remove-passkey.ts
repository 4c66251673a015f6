import { type Ctx, type Db, platformErrors } from "#platform/index.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { deletePasskey, listPasskeyRows, type PasskeyRow } from "./sql.ts";

/** A person's passkeys, newest first. */
export function listPasskeys(db: Db, personId: string): Promise<PasskeyRow[]> {
  return listPasskeyRows(db, personId);
}

/** Deletes a passkey: it can't be used to sign in anymore. */
export function removePasskey(ctx: Ctx, input: { person_id: string; id: string; address: string }): Promise<{ id: string }> {
  return ctx.transact(async (tx) => {
    if (!(await deletePasskey(tx, input.person_id, input.id))) throw platformErrors.resource_missing({ param: "id" });
    await recordPersonAction(tx, ctx, {
      person_id: input.person_id,
      action: "person.passkey_removed",
      detail: { passkey_id: input.id, address: input.address },
      notify: true,
    });
    return { id: input.id };
  });
}
