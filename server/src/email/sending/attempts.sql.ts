import { type Tenant, type Tx, updateUnhurriedPart } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { EmailKey } from "../rows.sql.ts";

/** How an attempt ended. `held` ones weren't attempted and are deleted. */
export interface AttemptEnding extends Tenant {
  email_id: string;
  recipient_id: string;
  attempt: number;
  result: "accepted" | "deferred" | "refused" | "unknown" | "worker_lost" | "held";
  provider: string | null;
  remote: string | null;
  smtp_code: number | null;
  enhanced_code: string | null;
  diagnostic: string | null;
  /** For an accepted one: whether the recipient's own server accepted it. */
  final: boolean | null;
}

export async function updateAttempts(tx: Tx, endings: AttemptEnding[]): Promise<void> {
  if (endings.length === 0) return;
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    with given as (
      select * from jsonb_to_recordset(${sql(tx).json(endings)}) as g (project_id text collate "C", livemode boolean,
        email_id text collate "C", recipient_id text collate "C", attempt int, result text, final boolean, provider text, remote text,
        smtp_code int, enhanced_code text, diagnostic text)),
    gone as (
      delete from email_attempts a using given g
      where a.project_id = g.project_id and a.livemode = g.livemode and a.email_id = g.email_id and a.recipient_id = g.recipient_id
        and a.attempt = g.attempt and a.result = 'started' and g.result = 'held')
    update email_attempts a set result = g.result, final = g.final, provider = g.provider, remote = g.remote, smtp_code = g.smtp_code,
      enhanced_code = g.enhanced_code, diagnostic = g.diagnostic, finished_at = app_now()
    from given g
    where a.project_id = g.project_id and a.livemode = g.livemode and a.email_id = g.email_id and a.recipient_id = g.recipient_id
      and a.attempt = g.attempt and a.result = 'started' and g.result <> 'held'`;
}

/**
 * Records accepted attempts, in one statement that is its own transaction and doesn't wait for the disk. The record is only needed if this
 * process is lost, and the database has it by then; the ending that follows is as durable as anything else. Rows are looked up one by one
 * by their key, whatever the table's statistics say.
 */
export async function updateTaken(db: Db, taken: AttemptEnding[]): Promise<void> {
  await sql(db)`
    -- all tenants: each row names its own project and environment
    with ${updateUnhurriedPart(db)},
    given as (
      select * from jsonb_to_recordset(${sql(db).json(taken)}) as g (project_id text collate "C", livemode boolean,
        email_id text collate "C", recipient_id text collate "C", attempt int, final boolean, provider text, remote text, smtp_code int,
        enhanced_code text, diagnostic text)),
    found as (
      select g.*, open.place from unhurried cross join given g cross join lateral (
        select a.ctid as place from email_attempts a
        where a.project_id = g.project_id and a.livemode = g.livemode and a.email_id = g.email_id and a.recipient_id = g.recipient_id
          and a.attempt = g.attempt and a.result || '' = 'started' and unhurried.setting is not null
        limit 1) open)
    update email_attempts a set result = 'accepted', final = f.final, provider = f.provider, remote = f.remote, smtp_code = f.smtp_code,
      enhanced_code = f.enhanced_code, diagnostic = f.diagnostic, finished_at = app_now()
    from found f where a.ctid = f.place`;
}

/** Attempts recorded as accepted, of messages whose worker was lost. */
export async function listTaken(tx: Tx, keys: EmailKey[]): Promise<AttemptEnding[]> {
  return sql(tx)<AttemptEnding>`
    -- all tenants: each key names its own project and environment
    select a.project_id, a.livemode, a.email_id, a.recipient_id, a.attempt, a.result, a.final, a.provider, a.remote, a.smtp_code,
      a.enhanced_code, a.diagnostic
    from email_attempts a
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on a.project_id = key.project_id and a.livemode = key.livemode and a.email_id = key.id
    where a.result = 'accepted'`;
}
