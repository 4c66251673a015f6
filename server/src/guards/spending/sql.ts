import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { Measure } from "../admit/sql.ts";

/** What a project spent in each period since the given one; periods without spending are absent. */
export async function listSpending(db: Db, tenant: Tenant, since: string): Promise<{ measure: Measure; period: string; used: number }[]> {
  return sql(db)<{ measure: Measure; period: string; used: number }>`
    select measure, period, used from message_spending
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and period >= ${since} order by measure, period`;
}
