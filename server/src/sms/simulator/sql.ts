import type { Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { SmsKey } from "../rows.sql.ts";

/** Takes the due actions of simulated recipients; each is returned once. */
export async function updateFollowUps(tx: Tx, limit: number): Promise<(SmsKey & { sequel: string })[]> {
  return sql(tx)<SmsKey & { sequel: string }>`
    -- all tenants: one loop serves every tenant
    with due as (
      select project_id, livemode, id, sequel from sms where sequel is not null and sequel_at <= app_now()
      order by sequel_at limit ${limit} for update skip locked)
    update sms s set sequel = null, sequel_at = null from due d
    where s.project_id = d.project_id and s.livemode = d.livemode and s.id = d.id
    returning s.project_id, s.livemode, s.id, d.sequel`;
}
