import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** How an attempt ended. `held` ones weren't attempted and are deleted. */
export interface AttemptEnding extends Tenant {
  sms_id: string;
  attempt: number;
  result: "accepted" | "deferred" | "refused" | "unknown" | "worker_lost" | "held";
  provider: string | null;
  code: string | null;
  message: string | null;
  provider_code: string | null;
  segments_sent: number;
}

export async function updateAttempts(tx: Tx, endings: readonly AttemptEnding[]): Promise<void> {
  if (endings.length === 0) return;
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    with given as (
      select * from jsonb_to_recordset(${sql(tx).json(endings)}) as g (project_id text collate "C", livemode boolean,
        sms_id text collate "C", attempt int, result text, provider text, code text,
        message text, provider_code text, segments_sent smallint)),
    gone as (
      delete from sms_attempts a using given g
      where a.project_id = g.project_id and a.livemode = g.livemode and a.sms_id = g.sms_id and a.attempt = g.attempt
        and a.result = 'started' and g.result = 'held')
    update sms_attempts a set result = g.result, provider = g.provider, code = g.code, message = g.message, provider_code = g.provider_code,
      segments_sent = g.segments_sent, finished_at = app_now()
    from given g
    where a.project_id = g.project_id and a.livemode = g.livemode and a.sms_id = g.sms_id and a.attempt = g.attempt and a.result = 'started'
      and g.result <> 'held'`;
}
