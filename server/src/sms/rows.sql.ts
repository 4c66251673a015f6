import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { PartRow, SmsRow } from "./shapes.ts";

export type SmsKey = Tenant & { id: string };

export const smsColumns: ColumnsOf<SmsRow> = columns(
  "sms",
  `
  project_id, livemode, id, direction, status, version, sequence, last_event, sender, sender_kind, recipient, country, encoding, segments,
  segments_sent, reference, keyword, category, tags, metadata, status_callback, batch_id, error, provider, state, due_at, lease,
  lease_until, deaths, attempts, begun, settle_at, sequel, sequel_at, scheduled_at, expires_at, sent_at,
  delivered_at, created_at, updated_at`,
);

export const partColumns: ColumnsOf<PartRow> = columns(
  "sms_parts",
  `
  project_id, livemode, sms_id, place, provider, provider_message_id, status, code, provider_code, reported_at, occurred_at,
  created_at`,
);

export async function findSmsRow(db: Db, tenant: Tenant, id: string): Promise<SmsRow | null> {
  const [row] = await byKey(db)<SmsRow>`
    select ${smsColumns} from sms where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** Locks messages of any tenants until this transaction ends, in the same order everywhere. */
export function lockSms<On extends Tx | Pipe>(tx: On, keys: readonly SmsKey[]): Sent<On, SmsRow[]> {
  return send(
    tx,
    sql(tx)<SmsRow>`
    -- all tenants: each key names its own project and environment
    select ${smsColumns.of("s")} from sms s
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on s.project_id = key.project_id and s.livemode = key.livemode and s.id = key.id
    order by s.project_id, s.livemode, s.id for no key update of s`,
    (rows) => rows,
  );
}

/**
 * Writes locked messages, frees their leases, and deletes the sealed texts of ended ones; a transition that isn't among `moves` changes
 * nothing. Returns how many were written.
 */
export function updateSms<On extends Tx | Pipe>(tx: On, rows: readonly SmsRow[], moves: readonly string[]): Sent<On, number> {
  if (rows.length === 0) return known(tx, 0);
  return send(
    tx,
    sql(tx)`
    -- all tenants: each row names its own project and environment
    update sms s set status = g.status, version = g.version, sequence = g.sequence, last_event = g.last_event,
      segments_sent = g.segments_sent, error = g.error, provider = g.provider, state = g.state, due_at = g.due_at, lease = null,
      lease_until = null, deaths = g.deaths, attempts = g.attempts, begun = false, settle_at = g.settle_at, sequel = g.sequel,
      sequel_at = g.sequel_at, scheduled_at = g.scheduled_at, expires_at = g.expires_at, sent_at = g.sent_at, delivered_at = g.delivered_at,
      updated_at = g.updated_at, sealed_body = case when g.state <> 'done' then s.sealed_body end
    from jsonb_to_recordset(${sql(tx).json(rows.map(changeable))}) as g (project_id text collate "C", livemode boolean, id text collate "C",
      status text, version int, sequence int, last_event text, segments_sent smallint, error jsonb, provider text, state text,
      due_at timestamptz, deaths smallint, attempts int, settle_at timestamptz, sequel text, sequel_at timestamptz,
      scheduled_at timestamptz, expires_at timestamptz, sent_at timestamptz, delivered_at timestamptz, updated_at timestamptz)
    where s.project_id = g.project_id and s.livemode = g.livemode and s.id = g.id
      and (s.status = g.status or s.status || '>' || g.status = any (${[...moves]}::text[]))`,
    (written) => written.count,
  );
}

/** Only the columns that can change are sent. */
function changeable(row: SmsRow) {
  const {
    project_id,
    livemode,
    id,
    status,
    version,
    sequence,
    last_event,
    segments_sent,
    error,
    provider,
    state,
    due_at,
    deaths,
    attempts,
  } = row;
  const { settle_at, sequel, sequel_at, scheduled_at, expires_at, sent_at, delivered_at, updated_at } = row;
  const same = {
    project_id,
    livemode,
    id,
    status,
    version,
    sequence,
    last_event,
    segments_sent,
    error,
    provider,
    state,
    due_at,
    deaths,
    attempts,
  };
  return { ...same, settle_at, sequel, sequel_at, scheduled_at, expires_at, sent_at, delivered_at, updated_at };
}

/** Parts of messages of any tenants, in order. */
export async function listParts(db: Db, keys: readonly SmsKey[]): Promise<PartRow[]> {
  if (keys.length === 0) return [];
  return sql(db)<PartRow>`
    -- all tenants: each key names its own project and environment
    select ${partColumns.of("p")} from sms_parts p
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on p.project_id = key.project_id and p.livemode = key.livemode and p.sms_id = key.id
    order by p.project_id, p.livemode, p.sms_id, p.place`;
}
