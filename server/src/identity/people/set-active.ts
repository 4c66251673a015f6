import { type Ctx, platformErrors } from "#platform/index.ts";
import { updateActive } from "./sql.ts";

export interface Active {
  active_project_id: string | null;
  active_livemode: boolean;
}

/** Chooses what a session's flat routes and its missing environment header mean. The caller has checked that the project is theirs. */
export function setActive(ctx: Ctx, input: { session_id: string; project_id?: string; livemode?: boolean }): Promise<Active> {
  return ctx.transact(async (tx) => {
    const active = await updateActive(tx, input.session_id, { project_id: input.project_id ?? null, livemode: input.livemode ?? null, now: ctx.now() });
    if (active === null) throw platformErrors.resource_missing();
    return active;
  });
}
