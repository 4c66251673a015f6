import { atNow, type Ctx, notice, type Tx } from "#platform/index.ts";
import { findPolicyRow } from "../policy/policy.sql.ts";
import { listProjectsAtHome, lockMerchantLimits } from "./limits.sql.ts";
import { isAllowed } from "./list-countries.ts";

/**
 * Notifies owners of every project that reaches another country because its merchant's own one changes: without a choice of its own, a
 * project follows it. Call it in the transaction that changes the country.
 */
export async function moveHome(tx: Tx, ctx: Ctx, given: { merchant_id: string; country: string | null }): Promise<void> {
  const { merchant_id, country } = given;
  if (country === null || !isAllowed(await findPolicyRow(tx), country)) return;
  await lockMerchantLimits(tx, merchant_id);
  const at = (await atNow(ctx, tx)).now().toISOString();
  for (const project_id of await listProjectsAtHome(tx, merchant_id)) {
    const params = { project_id, livemode: true, countries: [country], changed_by: ctx.actor.id, at };
    await notice(tx, ctx, { kind: "countries_added", recipient: merchant_id, params });
  }
}
