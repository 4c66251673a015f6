import { recordAudit } from "#identity/index.ts";
import { type Ctx, platformErrors } from "#platform/index.ts";
import { findProjectRow, type ProjectRow, type ProjectSettings, updateProjectSettings } from "./sql.ts";

/** Replaces a project's settings; with `version`, only when nobody changed the project meanwhile. */
export function putSettings(ctx: Ctx, input: { project_id: string; settings: ProjectSettings; version?: number }): Promise<ProjectRow> {
  return ctx.transact(async (tx) => {
    const row = await updateProjectSettings(tx, input.project_id, { settings: input.settings, version: input.version ?? null, now: ctx.now() });
    if (row === null) {
      if ((await findProjectRow(tx, input.project_id)) === null) throw platformErrors.resource_missing({ param: "project_id" });
      throw platformErrors.version_conflict();
    }
    await recordAudit(tx, {
      ctx,
      tenant: null,
      merchant_id: row.merchant_id,
      action: "project.settings_changed",
      object_type: "project",
      object_id: row.id,
      detail: { version: row.version },
    });
    return row;
  });
}
