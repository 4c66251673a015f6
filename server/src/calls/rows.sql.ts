import { isoOf, type Tenant, type Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { CallKey, CallRow } from "./shapes.ts";

export const callColumns: ColumnsOf<CallRow> = columns(
  "calls",
  `
  project_id, livemode, id, status, version, sequence, last_event, from_number, to_number, country, said, sealed_said, voice, language,
  speed, ring_s, limit_s, record, tags, metadata, status_callback, batch_id, provider, sip_code, hangup_by, answered_by, gathered, digits,
  error, duration, ring_duration, scheduled_at, expires_at, started_at, answered_at, ended_at, hangup_asked_at, state, due_at, lease,
  lease_until, attempts, deaths, created_at, updated_at`,
);

export async function findCallRow(db: Db, tenant: Tenant, id: string): Promise<CallRow | null> {
  const [row] = await byKey(db)<CallRow>`
    select ${callColumns} from calls where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** Locks calls until this transaction ends, in the same order everywhere. */
export function lockCalls<On extends Tx | Pipe>(tx: On, keys: readonly CallKey[]): Sent<On, CallRow[]> {
  return send(
    tx,
    sql(tx)<CallRow>`
    -- all tenants: each key names its own project and environment
    select ${callColumns.of("c")} from calls c
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on c.project_id = key.project_id and c.livemode = key.livemode and c.id = key.id
    order by c.project_id, c.livemode, c.id for no key update of c`,
    (rows) => rows,
  );
}

/**
 * Writes locked calls, and deletes the sealed texts of ended ones. A leased one remains leased, and a transition that isn't among `moves`
 * (`from>to`) changes nothing. Returns how many were written.
 */
export function updateCalls<On extends Tx | Pipe>(tx: On, rows: readonly CallRow[], moves: readonly string[]): Sent<On, number> {
  if (rows.length === 0) return known(tx, 0);
  const given = sql(tx).json(rows.map(({ said: _said, sealed_said: _sealed, ...row }) => ({ ...row, due_at: isoOf(row.due_at) })));
  return send(
    tx,
    sql(tx)`
    -- all tenants: each row names its own project and environment
    update calls c set status = g.status, version = g.version, sequence = g.sequence, last_event = g.last_event, provider = g.provider,
      sip_code = g.sip_code, hangup_by = g.hangup_by, answered_by = g.answered_by, gathered = g.gathered, digits = g.digits,
      error = g.error, duration = g.duration, ring_duration = g.ring_duration, started_at = g.started_at, answered_at = g.answered_at,
      ended_at = g.ended_at, hangup_asked_at = g.hangup_asked_at, scheduled_at = g.scheduled_at, expires_at = g.expires_at, state = g.state,
      due_at = g.due_at, attempts = g.attempts, deaths = g.deaths, updated_at = g.updated_at,
      lease = case when g.state = 'leased' then c.lease end, lease_until = case when g.state = 'leased' then c.lease_until end,
      sealed_said = case when g.state <> 'done' then c.sealed_said end
    from jsonb_to_recordset(${given}) as g (project_id text collate "C", livemode boolean, id text collate "C", status text, version int,
      sequence int, last_event text, provider text, sip_code int, hangup_by text, answered_by text, gathered jsonb, digits text,
      error jsonb, duration int, ring_duration int, started_at timestamptz, answered_at timestamptz, ended_at timestamptz,
      hangup_asked_at timestamptz, scheduled_at timestamptz, expires_at timestamptz, state text, due_at timestamptz, attempts int,
      deaths smallint, updated_at timestamptz)
    where c.project_id = g.project_id and c.livemode = g.livemode and c.id = g.id
      and (c.status = g.status or c.status || '>' || g.status = any (${[...moves]}::text[]))`,
    (written) => written.count,
  );
}
