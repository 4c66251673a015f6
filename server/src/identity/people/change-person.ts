import { withPrevious } from "#audit/index.ts";
import { type Ctx, type Language, platformErrors, refuseAddressesIn } from "#platform/index.ts";
import { recordPersonAction } from "./record-person-action.ts";
import { findPerson, type PersonRow, updatePerson } from "./sql.ts";

/** Changes a person's own name or language. */
export function changePerson(ctx: Ctx, input: { person_id: string; name?: string; language?: Language }): Promise<PersonRow> {
  refuseAddressesIn({ name: input.name });
  return ctx.transact(async (tx) => {
    const before = await findPerson(tx, input.person_id);
    const row = await updatePerson(tx, input.person_id, { name: input.name ?? null, language: input.language ?? null });
    if (row === null) throw platformErrors.resource_missing();
    await recordPersonAction(tx, ctx, {
      person_id: row.id,
      action: "person.updated",
      detail: withPrevious({ name: row.name, language: row.language }, { ...before }),
    });
    return row;
  });
}
