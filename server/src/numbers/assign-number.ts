import { type Ctx, platformErrors } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { approveRow, refusingTaken } from "./approve-number.ts";
import { checkNumber, type NumberInput } from "./check-number.ts";
import { writeRequest } from "./request-number.ts";
import { lockNumberByValue, lockNumberCount, type NumberRow } from "./sql.ts";

/**
 * Assigns an approved number or name to a project in LIVE, even without a request. Throws parameter_invalid, limit_reached, number_taken.
 */
export async function assignNumber(ctx: Ctx, { project_id, ...input }: NumberInput & { project_id: string }): Promise<NumberRow> {
  if ((await findProject(ctx.db, project_id)) === null)
    throw platformErrors.parameter_invalid({ param: "project_id", reason: "unknown_project", message: "No project has this ID." });
  const checked = await checkNumber(input, { strict: true });
  const tenant = { project_id, livemode: true };
  return refusingTaken(() =>
    ctx.transact(async (tx) => {
      await lockNumberCount(tx, tenant);
      const known = await lockNumberByValue(tx, tenant, checked.value);
      const before = known === null ? await writeRequest(tx, ctx, { tenant, checked, purpose: null }) : known;
      return approveRow(tx, ctx, {
        before,
        terms: { channels: checked.channels, countries: checked.countries },
        action: "number.assigned",
      });
    }),
  );
}
