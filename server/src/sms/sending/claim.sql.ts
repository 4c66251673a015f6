import type { QuietKind } from "#guards/index.ts";
import type { Partition, Scan } from "#messaging/index.ts";
import { amongWanted, claimable, leased, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import { type SmsKey, smsColumns } from "../rows.sql.ts";
import type { SmsRow } from "../shapes.ts";

export interface Candidate extends Tenant, Partition {
  id: string;
  sender: string;
  recipient: string;
  /** A reply to the recipient's keyword, which is sent even after an opt-out. */
  is_answer: boolean;
  /** Whose quiet hours it waits for; null if it doesn't wait, or if some of its parts were sent. */
  quiet_kind: QuietKind | null;
}

/**
 * Lists due messages of the next partitions after `after`. A partition is one project's messages to one country; the first message of each
 * partition comes before the second of any. Reads the index from partition to partition, like the statement for email. Only partitions that
 * offer a message count.
 *
 * Plan: `sms_due`, once for each partition to find the next one, and once for its first messages. Messages that are sent alone or have
 * expired are few, and are passed over on the way.
 */
export async function listCandidates(
  tx: Tx,
  { livemode, after, partitions, perPartition, full }: Scan & { livemode: boolean },
): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop sends every tenant's messages
    with recursive partition as (
      (select q.project_id, q.country, (q.project_id <> all(${full}::text[]))::int as n from sms q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)} and q.expires_at > app_now()
          and (q.project_id, q.country) > (${after.project_id}, ${after.receiver})
        order by q.project_id, q.country limit 1)
      union all
      select next.project_id, next.country, l.n + (next.project_id <> all(${full}::text[]))::int from partition l cross join lateral (
        select q.project_id, q.country from sms q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)} and q.expires_at > app_now()
          and (q.project_id, q.country) > (l.project_id, case when l.project_id = any(${full}::text[]) then chr(1114111) else l.country end)
        order by q.project_id, q.country limit 1) next
      where l.n < ${partitions})
    select p.project_id, p.livemode, p.id, p.sender, p.recipient, p.country as receiver, p.is_answer, p.quiet_kind
    from partition cross join lateral (
      select q.project_id, q.livemode, q.id, q.sender, q.recipient, q.country, q.keyword is not null as is_answer,
        case when q.segments_sent = 0 then q.category end as quiet_kind, row_number() over (order by q.due_at) as place from sms q
      where q.livemode = ${livemode} and q.project_id = partition.project_id and q.country = partition.country
        and ${claimable(sql(tx), false)} and q.expires_at > app_now()
      order by q.due_at limit ${perPartition}) p
    where partition.project_id <> all(${full}::text[])
    order by p.place, partition.n`;
}

/** The message sent alone that was due first, of projects that aren't skipped. */
export async function listSuspects(tx: Tx, { livemode, full }: { livemode: boolean; full: string[] }): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop sends every tenant's messages
    select q.project_id, q.livemode, q.id, q.sender, q.recipient, q.country as receiver, q.keyword is not null as is_answer,
      case when q.segments_sent = 0 then q.category end as quiet_kind
    from sms q
    where ${claimable(sql(tx), true)} and q.livemode = ${livemode} and q.project_id <> all(${full}::text[]) and q.expires_at > app_now()
    order by q.due_at limit 1`;
}

/** A claimed message with its text; both are null if it is no longer retained. */
export type ClaimedRow = SmsRow & { lease: string; body: string | null; sealed_body: string | null };

/**
 * Leases messages and records their attempts before anything is sent; locked ones are left for the next round. Each is looked up by its
 * key, one by one: with a plain join the planner might read everything due once per candidate.
 */
export async function updateClaimed(
  tx: Tx,
  given: { candidates: readonly Candidate[]; lease: string; durationMs: number },
): Promise<ClaimedRow[]> {
  const { candidates, lease, durationMs } = given;
  return sql(tx)<ClaimedRow>`
    -- all tenants: each candidate names its own project and environment
    with wanted as (
      select * from unnest(${candidates.map((one) => one.project_id)}::text[],
        ${candidates.map((one) => String(one.livemode))}::text[]::boolean[],
        ${candidates.map((one) => one.id)}::text[]) as given (project_id, livemode, id)),
    held as (
      select s.place from wanted w cross join lateral (
        select s.ctid as place from sms s
        where s.project_id = w.project_id and s.livemode = w.livemode and s.id = w.id and s.state || '' = 'due' and s.due_at <= app_now()
        limit 1 for no key update skip locked) s),
    leased as (
      update sms s set ${leased(sql(tx), { lease, durationMs })}, status = 'sending', attempts = s.attempts + 1,
        begun = false, updated_at = app_now()
      from held h where s.ctid = h.place
      returning ${smsColumns.of("s")}, s.sealed_body),
    begun as (
      insert into sms_attempts (project_id, livemode, sms_id, attempt, created_at)
      select project_id, livemode, id, attempts, app_now() from leased
      on conflict do nothing)
    select l.*, b.body from leased l
    left join sms_bodies b on b.project_id = l.project_id and b.livemode = l.livemode and b.sms_id = l.id`;
}

export interface StartedKey extends SmsKey {
  lease: string;
}

/**
 * Marks locked messages as started; returns the ids of those whose lease still holds. Its own transaction, on the disk before anything is
 * sent.
 */
export async function updateStarted(db: Db, keys: readonly StartedKey[]): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    -- all tenants: each key names its own project and environment
    with wanted as (
      select * from unnest(${keys.map((key) => key.project_id)}::text[], ${keys.map((key) => String(key.livemode))}::text[]::boolean[],
        ${keys.map((key) => key.id)}::text[], ${keys.map((key) => key.lease)}::text[]) as given (project_id, livemode, id, lease)),
    held as (
      select s.place from wanted w cross join lateral (
        select s.ctid as place from sms s
        where s.project_id = w.project_id and s.livemode = w.livemode and s.id = w.id and s.state || '' = 'leased' and s.lease = w.lease
          and s.lease_until > app_now()
        limit 1 for no key update) s)
    update sms s set begun = true from held h where s.ctid = h.place returning s.id`;
  return rows.map(({ id }) => id);
}

/** Messages whose worker was lost after it had started to send them. */
export async function listDoubtful(tx: Tx, wanted: WantedRows): Promise<SmsKey[]> {
  const tag = sql(tx);
  return tag<SmsKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from sms
    where state = 'leased' and lease_until < app_now() and begun ${amongWanted(tag, tag`id`, wanted)}
    order by lease_until limit ${wanted.limit}`;
}
