import type { QuietKind } from "#guards/index.ts";
import type { Page, Partition, Scan } from "#messaging/index.ts";
import { amongWanted, claimable, leased, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import { callColumns } from "../rows.sql.ts";
import type { CallKey, CallRow } from "../shapes.ts";

export interface Candidate extends Tenant, Partition {
  id: string;
  address: string;
  /** It has expired. */
  expired: boolean;
  /** Whose quiet hours it waits for; null if it doesn't wait. */
  quiet_kind: QuietKind | null;
}

/**
 * Lists due calls of the next partitions after `after`. A partition is one project's calls to one country; the first call of each partition
 * comes before the second of any. Reads the index from partition to partition, so that one partition's backlog costs no more than a single
 * call, nor does that of a skipped project. Only partitions that offer a call count.
 *
 * Plan: `calls_next`, once for each partition to find the next one, and once for its first calls. Calls that are placed alone are few, and
 * are passed over on the way.
 */
export async function listCandidates(
  tx: Tx,
  { livemode, after, partitions, perPartition, full }: Scan & { livemode: boolean },
): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop places every tenant's calls
    with recursive partition as (
      (select q.project_id, q.country, (q.project_id <> all(${full}::text[]))::int as n from calls q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)}
          and (q.project_id, q.country) > (${after.project_id}, ${after.receiver})
        order by q.project_id, q.country limit 1)
      union all
      select next.project_id, next.country, l.n + (next.project_id <> all(${full}::text[]))::int from partition l cross join lateral (
        select q.project_id, q.country from calls q
        where q.livemode = ${livemode} and ${claimable(sql(tx), false)}
          and (q.project_id, q.country) > (l.project_id, case when l.project_id = any(${full}::text[]) then chr(1114111) else l.country end)
        order by q.project_id, q.country limit 1) next
      where l.n < ${partitions})
    select p.project_id, p.livemode, p.id, p.address, p.country as receiver, p.expired, p.quiet_kind from partition cross join lateral (
      select q.project_id, q.livemode, q.id, q.to_number as address, q.country, q.expires_at <= app_now() as expired,
        case when q.sealed_said is null then 'calls' end as quiet_kind, row_number() over (order by q.due_at, q.id) as place
      from calls q
      where q.livemode = ${livemode} and q.project_id = partition.project_id and q.country = partition.country
        and ${claimable(sql(tx), false)}
      order by q.due_at, q.id limit ${perPartition}) p
    where partition.project_id <> all(${full}::text[])
    order by p.place, partition.n`;
}

/** Pages of due calls, and how many calls each has at most. */
export interface Pages {
  pages: readonly Page[];
  limit: number;
}

/**
 * Lists pages of partitions' due calls, the first call of each page before the second of any.
 *
 * Plan: `calls_next`, once for each page, from the time of the call before it.
 */
export async function listBehind(tx: Tx, { livemode, pages, limit }: Pages & { livemode: boolean }): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop places every tenant's calls
    select p.project_id, p.livemode, p.id, p.address, p.country as receiver, p.expired, p.quiet_kind
    from unnest(${pages.map((page) => page.project_id)}::text[], ${pages.map((page) => page.receiver)}::text[],
      ${pages.map((page) => page.behind)}::text[]) as page (project_id, country, behind)
    left join calls b on b.project_id = page.project_id and b.livemode = ${livemode} and b.id = page.behind
    cross join lateral (
      select q.project_id, q.livemode, q.id, q.to_number as address, q.country, q.expires_at <= app_now() as expired,
        case when q.sealed_said is null then 'calls' end as quiet_kind, row_number() over (order by q.due_at, q.id) as place
      from calls q
      where q.livemode = ${livemode} and q.project_id = page.project_id and q.country = page.country
        and ${claimable(sql(tx), false)} and (q.due_at, q.id) > (coalesce(b.due_at, '-infinity'), coalesce(b.id, ''))
      order by q.due_at, q.id limit ${limit}) p
    order by p.place`;
}

/** The call placed alone that was due first, of projects that aren't skipped. */
export async function listSuspects(tx: Tx, { livemode, full }: { livemode: boolean; full: string[] }): Promise<Candidate[]> {
  return sql(tx)<Candidate>`
    -- all tenants: one loop places every tenant's calls
    select q.project_id, q.livemode, q.id, q.to_number as address, q.country as receiver, q.expires_at <= app_now() as expired,
      case when q.sealed_said is null then 'calls' end as quiet_kind
    from calls q
    where ${claimable(sql(tx), true)} and q.livemode = ${livemode} and q.project_id <> all(${full}::text[])
    order by q.due_at limit 1`;
}

/** Locks projects' turns; skips those that another process is claiming for. */
export async function lockTurns(tx: Tx, { livemode, projects }: { livemode: boolean; projects: string[] }): Promise<string[]> {
  const rows = await sql(tx)<{ project_id: string }>`
    -- all tenants: one loop places every tenant's calls
    select project_id from call_turns where livemode = ${livemode} and project_id = any(${projects}::text[]) order by project_id
      for update skip locked`;
  return rows.map((row) => row.project_id);
}

/** The number of concurrent calls of some projects, or of all; projects with none are omitted. */
export async function listInProgress(
  tx: Tx,
  { livemode, projects }: { livemode: boolean; projects: string[] | null },
): Promise<{ project_id: string; total: number }[]> {
  const tag = sql(tx);
  return tag<{ project_id: string; total: number }>`
    -- all tenants: one loop places every tenant's calls
    select project_id, count(*) as total from calls
    where state = 'leased' and livemode = ${livemode} ${projects === null ? tag`` : tag`and project_id = any(${projects}::text[])`}
    group by project_id`;
}

/** Leases calls that are still due; locked ones are left for the next round. */
export async function updateClaimed(
  tx: Tx,
  given: { candidates: readonly Candidate[]; lease: string; durationMs: number },
): Promise<CallRow[]> {
  const { candidates } = given;
  return sql(tx)<CallRow>`
    -- all tenants: each candidate names its own project and environment
    with wanted as (
      select * from unnest(${candidates.map((one) => one.project_id)}::text[],
        ${candidates.map((one) => String(one.livemode))}::text[]::boolean[],
        ${candidates.map((one) => one.id)}::text[]) as given (project_id, livemode, id)),
    held as (
      select c.place from wanted w cross join lateral (
        select c.ctid as place from calls c
        where c.project_id = w.project_id and c.livemode = w.livemode and c.id = w.id and c.state || '' = 'due' and c.due_at <= app_now()
        limit 1 for update skip locked) c)
    update calls c set ${leased(sql(tx), given)}, attempts = c.attempts + 1, updated_at = app_now()
    from held h where c.ctid = h.place
    returning ${callColumns.of("c")}`;
}

/** Calls whose worker was lost. */
export async function listExpired(tx: Tx, wanted: WantedRows): Promise<CallKey[]> {
  const tag = sql(tx);
  return tag<CallKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from calls where state = 'leased' and lease_until < app_now() ${amongWanted(tag, tag`id`, wanted)}
      order by lease_until limit ${wanted.limit}`;
}

/** Calls under some leases with a hang-up request. */
export async function listHangUps(db: Db, leases: readonly string[]): Promise<{ id: string; lease: string }[]> {
  return sql(db)<{ id: string; lease: string }>`
    -- all tenants: one loop watches every tenant's calls
    select id, lease from calls where state = 'leased' and hangup_asked_at is not null and lease = any(${[...leases]}::text[])`;
}
