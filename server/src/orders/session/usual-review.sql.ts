import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The median of the minutes from report to verification among the newest 200 payments; null while fewer than five were verified. */
export async function findUsualReviewMinutes(db: Db, tenant: Tenant): Promise<number | null> {
  const [row] = await sql(db)<{ reviews: number; minutes: number | null }>`
    select count(*)::int as reviews,
      round(percentile_cont(0.5) within group (order by extract(epoch from verified_at - reported_at) / 60))::int as minutes
    from (
      select reported_at, verified_at from payment_sessions
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by id desc limit 200
    ) recent
    where reported_at is not null and verified_at is not null`;
  return row === undefined || row.reviews < 5 ? null : row.minutes;
}
