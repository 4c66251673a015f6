import { type Ctx, platformErrors } from "#platform/index.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { deleteSession, deleteSessions } from "../people/sql.ts";

/** Ends one session of a person, or all except `keep`; returns how many. They stop working immediately. */
export function endSessions(ctx: Ctx, input: { person_id: string; only?: string; keep?: string }): Promise<number> {
  return ctx.transact(async (tx) => {
    const { person_id, only, keep } = input;
    if (only !== undefined) {
      if (!(await deleteSession(tx, person_id, only))) throw platformErrors.resource_missing({ param: "id" });
      await recordPersonAction(tx, ctx, { person_id, action: "person.session_ended", detail: { session_id: only } });
      return 1;
    }
    const ended = await deleteSessions(tx, person_id, keep ?? null);
    await recordPersonAction(tx, ctx, { person_id, action: "person.sessions_ended", detail: { ended } });
    return ended;
  });
}
