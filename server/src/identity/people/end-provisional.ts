import type { Ctx, Tx } from "#platform/index.ts";
import { actingAs, recordPersonAction } from "./record-person-action.ts";
import { updateProvisionalEnded } from "./sql.ts";

/** Revokes the operator rights of accounts that only had them until there was another person, `but`. */
export async function endProvisionalOperators(tx: Tx, ctx: Ctx, but: string): Promise<void> {
  for (const person_id of await updateProvisionalEnded(tx, { but })) {
    await recordPersonAction(tx, actingAs(ctx, but), { person_id, action: "person.operator_ended", detail: { reason: "second_person" } });
  }
}
