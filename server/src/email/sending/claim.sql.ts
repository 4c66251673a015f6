import type { Partition, Scan } from "#messaging/index.ts";
import { amongWanted, claimable, leased, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { EmailKey } from "../rows.sql.ts";
import { emailColumns, recipientColumns } from "../rows.sql.ts";
import type { EmailRow, RecipientRow } from "../shapes.ts";

/** A recipient's name in the queue. */
export function jobOf({ email_id, id }: Pick<RecipientRow, "email_id" | "id">): string {
  return `${email_id}/${id}`;
}

export interface Candidate extends Tenant, Partition {
  email_id: string;
  position: number;
  address: string;
  /** It has expired. */
  expired: boolean;
}

/**
 * Lists due recipients of the next partitions after `after`. A partition is one project's email for one domain; the first recipient of each
 * partition comes before the second of any. Reads the index from partition to partition, so that one partition's backlog costs no more than
 * a single recipient, nor does that of a skipped project. Only partitions that offer a recipient count.
 */
export async function listCandidates(
  tx: Tx,
  { livemode, after, partitions, perPartition, full }: Scan & { livemode: boolean },
): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop sends every tenant's mail
    with recursive partition as (
      (select q.project_id, q.domain, (q.project_id <> all(${full}::text[]))::int as n from email_recipients q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)}
          and (q.project_id, q.domain) > (${after.project_id}, ${after.receiver})
        order by q.project_id, q.domain limit 1)
      union all
      select next.project_id, next.domain, l.n + (next.project_id <> all(${full}::text[]))::int from partition l cross join lateral (
        select q.project_id, q.domain from email_recipients q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)}
          and (q.project_id, q.domain) > (l.project_id, case when l.project_id = any(${full}::text[]) then chr(1114111) else l.domain end)
        order by q.project_id, q.domain limit 1) next
      where l.n < ${partitions})
    select p.project_id, p.livemode, p.email_id, p.position, p.address, p.domain as receiver, p.expired from partition cross join lateral (
      select q.project_id, q.livemode, q.email_id, q.position, q.address, q.domain, q.expires_at <= app_now() as expired,
        row_number() over (order by q.due_at) as place from email_recipients q
      where q.livemode = ${livemode} and q.project_id = partition.project_id and q.domain = partition.domain
        and ${claimable(sql(tx), false)}
      order by q.due_at limit ${perPartition}) p
    where partition.project_id <> all(${full}::text[])
    order by p.place, partition.n`;
}

/** The recipient sent alone that was due first, of projects that aren't skipped. */
export async function listSuspects(tx: Tx, { livemode, full }: { livemode: boolean; full: string[] }): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop sends every tenant's mail
    select q.project_id, q.livemode, q.email_id, q.position, q.address, q.domain as receiver, q.expires_at <= app_now() as expired
    from email_recipients q
    where ${claimable(sql(tx), true)} and q.livemode = ${livemode} and q.project_id <> all(${full}::text[])
    order by q.due_at limit 1`;
}

/** Locks the messages of candidates; already locked ones are left for the next round. */
export async function lockFreeEmails(tx: Tx, keys: EmailKey[]): Promise<EmailRow[]> {
  return sql(tx)<EmailRow>`
    -- all tenants: each key names its own project and environment
    select ${emailColumns.of("e")} from emails e
    join unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
      on e.project_id = key.project_id and e.livemode = key.livemode and e.id = key.id
    for no key update of e skip locked`;
}

/** A claimed recipient, with its message's text if that is small. */
export type ClaimedRecipient = RecipientRow & { lease: string; body: string | null };

interface Claiming {
  candidates: Candidate[];
  lease: string;
  durationMs: number;
  /** Larger bodies are read when their turn comes. */
  bodyBytesMax: number;
}

/**
 * Leases recipients of locked messages and records their attempts before anything is sent. Each is looked up by its key, one by one: with a
 * plain join, the planner, which has poor statistics of a queue, might read everything due or stored once per candidate.
 *
 * Plan: `email_recipients_pkey` once for each candidate, which also locks the row; the update then finds it by its ctid (a TID scan)
 * without the index. `state` is compared as an expression, so that the planner doesn't choose a partial index of the queue. Messages and
 * small bodies are joined last, only for the leased recipients.
 */
export function updateClaimed<On extends Tx | Pipe>(
  tx: On,
  { candidates, lease, durationMs, bodyBytesMax }: Claiming,
): Sent<On, ClaimedRecipient[]> {
  return send(
    tx,
    sql(tx)<ClaimedRecipient>`
    -- all tenants: each candidate names its own project and environment
    with wanted as (
      select * from unnest(${candidates.map((one) => one.project_id)}::text[],
        ${candidates.map((one) => String(one.livemode))}::text[]::boolean[], ${candidates.map((one) => one.email_id)}::text[],
        ${candidates.map((one) => one.position)}::int[]) as given (project_id, livemode, email_id, position)),
    held as (
      select r.place from wanted w cross join lateral (
        select r.ctid as place from email_recipients r
        where r.project_id = w.project_id and r.livemode = w.livemode and r.email_id = w.email_id and r.position = w.position
          and r.state || '' = 'due' and r.due_at <= app_now() and r.status in ('queued', 'delivery_delayed', 'sending')
        limit 1 for update) r),
    leased as (
      update email_recipients r set ${leased(sql(tx), { lease, durationMs })}, status = 'sending',
        attempts = r.attempts + 1, updated_at = app_now()
      from held h where r.ctid = h.place
      returning ${recipientColumns.of("r")}),
    begun as (
      insert into email_attempts (project_id, livemode, email_id, recipient_id, attempt, created_at)
      select project_id, livemode, email_id, id, attempts, app_now() from leased
      on conflict do nothing)
    select l.*, case when e.size_bytes <= ${bodyBytesMax} then b.body end as body
    from leased l
    join emails e on e.project_id = l.project_id and e.livemode = l.livemode and e.id = l.email_id
    left join email_bodies b on b.project_id = l.project_id and b.livemode = l.livemode and b.email_id = l.email_id`,
    (rows) => rows,
  );
}

/**
 * Sets locked messages to `sending` if none of their recipients is still queued or scheduled. Their status is compared as an expression:
 * before statistics include a new queue, its index looks like the shortest way and is the longest.
 */
export function updateSending<On extends Tx | Pipe>(tx: On, keys: EmailKey[]): Sent<On, void> {
  return send(
    tx,
    sql(tx)`
    -- all tenants: each key names its own project and environment
    update emails e set status = 'sending', updated_at = app_now()
    from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
      ${keys.map((key) => key.id)}::text[]) as key (project_id, livemode, id)
    where e.project_id = key.project_id and e.livemode = key.livemode and e.id = key.id and e.status || '' in ('queued', 'delivery_delayed')
      and not exists (select from email_recipients r where r.project_id = e.project_id and r.livemode = e.livemode and r.email_id = e.id
        and r.status in ('scheduled', 'queued'))
      and exists (select from email_recipients r where r.project_id = e.project_id and r.livemode = e.livemode and r.email_id = e.id
        and r.status = 'sending')`,
    () => {},
  );
}

/** Lists messages with a recipient whose worker was lost. */
export async function listExpired(tx: Tx, wanted: WantedRows): Promise<EmailKey[]> {
  const tag = sql(tx);
  return tag<EmailKey>`
    -- all tenants: one loop serves every tenant
    select distinct project_id, livemode, email_id as id from (
      select project_id, livemode, email_id from email_recipients where state = 'leased' and lease_until < app_now()
        ${amongWanted(tag, tag`email_id`, wanted)}
      order by lease_until limit ${wanted.limit}) lapsed`;
}
