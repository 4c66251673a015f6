import { auditIfPerson } from "#audit/index.ts";
import { redactEvents } from "#events/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { callErrors } from "../errors.ts";
import { lockCalls } from "../rows.sql.ts";
import { updateDeletedBody } from "./sql.ts";

/**
 * Permanently deletes what a call said and did, and the keys that were pressed, in its events too; the call and its recordings remain.
 * Repeating it changes nothing. Throws resource_missing, and call_state_conflict until the call has ended.
 */
export async function deleteCallBody(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<void> {
  const key = { project_id: tenant.project_id, livemode: tenant.livemode, id };
  await ctx.transact(async (tx) => {
    const [held] = await lockCalls(tx, [key]);
    if (held === undefined) throw platformErrors.resource_missing({ param: "id" });
    if (held.state !== "done")
      throw callErrors.call_state_conflict({
        message: `You can't delete the text of a call that is ${held.status}: it's still needed. Hang up first.`,
      });
    if (!(await updateDeletedBody(tx, key))) return;
    await redactEvents(tx, key, { object_id: id, redact: dropKeys });
    await auditIfPerson(tx, { ctx, tenant, action: "call.body_deleted", object_type: "call", object_id: id, detail: {} });
  });
}

interface CallData {
  call?: { gathered: Record<string, string>; digits: string };
  gathered?: { digits: string | null };
}

/** Events of calls contain the pressed keys. */
function dropKeys({ call, gathered }: CallData): boolean {
  if (call === undefined) return false;
  const hasKeys = call.digits !== "" || Object.keys(call.gathered).length > 0 || gathered !== undefined;
  call.gathered = {};
  call.digits = "";
  if (gathered !== undefined) gathered.digits = null;
  return hasKeys;
}
