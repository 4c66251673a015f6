import { recordAudit, withPrevious } from "#audit/index.ts";
import {
  type Ctx,
  isUniqueViolation,
  noSuchTimeZone,
  platformErrors,
  readCurrency,
  readTimeZone,
  refuseAddressesIn,
  refuseCardNumbers,
  type Tx,
} from "#platform/index.ts";
import { lockProjectRow, type ProjectRow, type ProjectSettings, updateProjectRow } from "./sql.ts";

export interface ProjectChange {
  project_id: string;
  /** The version that the caller saw; null overwrites any version. */
  if_version: number | null;
  name?: string;
  slug?: string;
  default_currency?: string;
  settings?: ProjectSettings;
  /** What higher rooms do for new settings, in the same transaction before they are written; throws to refuse the change. */
  hold?: (tx: Tx, before: ProjectRow, settings: ProjectSettings) => Promise<void>;
}

/** Changes a project's names, default currency and settings; settings are replaced as a whole. */
export async function changeProject(ctx: Ctx, input: ProjectChange): Promise<ProjectRow> {
  const currency = input.default_currency === undefined ? undefined : readCurrency(input.default_currency);
  if (currency === null) throw platformErrors.unsupported_currency({ param: "default_currency", reason: "not_a_currency" });
  const names = { name: input.name, "settings.branding.display_name": input.settings?.branding?.display_name };
  refuseCardNumbers(names);
  refuseAddressesIn(names);
  const settings = input.settings === undefined ? undefined : readSettings(input.settings);
  try {
    return await ctx.transact(async (tx) => {
      const before = await lockProjectRow(tx, input.project_id);
      if (before === null) throw platformErrors.resource_missing();
      if (input.if_version !== null && input.if_version !== before.version)
        throw platformErrors.version_conflict({ fields: { version: before.version } });
      if (settings !== undefined) await input.hold?.(tx, before, settings);
      const next = {
        name: input.name ?? before.name,
        slug: input.slug ?? before.slug,
        default_currency: currency ?? before.default_currency,
        settings: settings ?? before.settings,
      };
      const row = await updateProjectRow(tx, { id: before.id, ...next, updated_at: ctx.now() });
      await recordAudit(tx, {
        ctx,
        tenant: null,
        merchant_id: row.merchant_id,
        action: "project.updated",
        object_type: "project",
        object_id: row.id,
        detail: withPrevious({ ...next }, { ...before }),
      });
      return row;
    });
  } catch (error) {
    if (!isUniqueViolation(error, "projects_merchant_id_slug_key")) throw error;
    throw platformErrors.parameter_invalid({
      param: "slug",
      reason: "slug_taken",
      message: "Another project of this merchant already has this slug.",
      cause: error,
    });
  }
}

function readSettings(given: ProjectSettings): ProjectSettings {
  if (given.time_zone === undefined) return given;
  const time_zone = readTimeZone(given.time_zone);
  if (time_zone === null)
    throw platformErrors.parameter_invalid({ param: "settings.time_zone", reason: "no_such_time_zone", message: noSuchTimeZone });
  return { ...given, time_zone };
}
