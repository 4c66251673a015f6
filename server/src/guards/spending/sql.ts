import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { Measure } from "../admit/sql.ts";

/**
 * What a project spent in each period since a given one, money in one currency (null: before there were prices); periods without spending
 * are absent.
 */
export async function listSpending(
  db: Db,
  tenant: Tenant,
  { since, currency }: { since: string; currency: string | null },
): Promise<{ measure: Measure; period: string; used: number }[]> {
  const tag = sql(db);
  const isSame = tag`coalesce(currency, ${currency}) is not distinct from ${currency}`;
  return tag<{ measure: Measure; period: string; used: number }>`
    select measure, period, case when ${isSame} then used else (other_currencies ->> ${currency})::bigint end as used from message_spending
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and period >= ${since}
      and (${isSame} or other_currencies ? ${currency}) order by measure, period`;
}
