import { recordAudit } from "#audit/index.ts";
import { type Ctx, platformErrors } from "#platform/index.ts";
import { updateActive } from "../people/sql.ts";

export interface Active {
  active_project_id: string | null;
  active_livemode: boolean;
}

export interface Choice {
  session_id: string;
  person_id: string;
  /** The merchant whose log records this while no project is chosen. */
  merchant_id: string;
  project_id?: string;
  livemode?: boolean;
}

/** Chooses what a session's flat routes and a missing environment header refer to. The caller has checked that the project is theirs. */
export function setActive(ctx: Ctx, input: Choice): Promise<Active> {
  return ctx.transact(async (tx) => {
    const active = await updateActive(tx, input.session_id, { project_id: input.project_id ?? null, livemode: input.livemode ?? null });
    if (active === null) throw platformErrors.resource_missing();
    const { active_project_id: project_id, active_livemode: livemode } = active;
    const whose = project_id === null ? { tenant: null, merchant_id: input.merchant_id } : { tenant: { project_id, livemode } };
    await recordAudit(tx, { ctx, ...whose, action: "person.active_chosen", object_type: "person", object_id: input.person_id, detail: {} });
    return active;
  });
}
