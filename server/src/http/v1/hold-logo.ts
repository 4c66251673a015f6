import { findAsset, releaseAsset, useAsset } from "#assets/index.ts";
import { platformErrors, type Tx } from "#platform/index.ts";
import type { ProjectRow, ProjectSettings } from "#projects/index.ts";

const param = "settings.branding.logo_asset_id";

/**
 * Adds a reference to the image in a project's settings, so that it can't be deleted while pay pages show it, and removes the previous one.
 * Other images (a buyer's proof, for example) aren't allowed there. A project has one branding, so the image can be of either environment.
 */
export async function holdLogo(tx: Tx, project: ProjectRow, settings: ProjectSettings): Promise<void> {
  const before = project.settings.branding?.logo_asset_id;
  const after = settings.branding?.logo_asset_id;
  const worlds = [false, true].map((livemode) => ({ project_id: project.id, livemode }));
  if (before === after) return;
  if (before !== undefined) for (const tenant of worlds) await releaseAsset(tx, tenant, { asset_id: before, used_by: project.id });
  if (after === undefined) return;
  for (const tenant of worlds) {
    const asset = await findAsset(tx, tenant, after);
    if (asset?.purpose === "logo") return void (await useAsset(tx, tenant, { asset_id: after, used_by: project.id, param }));
  }
  throw platformErrors.parameter_invalid({ param, reason: "not_a_logo", message: "This isn't an image that was uploaded as a logo here." });
}
