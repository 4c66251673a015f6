import { type Ctx, platformErrors } from "#platform/index.ts";
import { recordPersonAct } from "./record-person-act.ts";
import { type Language, type PersonRow, updatePerson } from "./sql.ts";

/** Changes a person's own name or language. */
export function changePerson(ctx: Ctx, input: { person_id: string; name?: string; language?: Language }): Promise<PersonRow> {
  return ctx.transact(async (tx) => {
    const row = await updatePerson(tx, input.person_id, { name: input.name ?? null, language: input.language ?? null, now: ctx.now() });
    if (row === null) throw platformErrors.resource_missing();
    await recordPersonAct(tx, ctx, { person_id: row.id, action: "person.updated", detail: { name: row.name, language: row.language } });
    return row;
  });
}
