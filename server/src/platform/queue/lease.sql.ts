import { type Db, type Fragment, type PipeSql, type Rows, type Sql, sql, type Tx } from "../sql.ts";
import type { QueueTable } from "./queue-table.ts";

/** A job that was held by this many lost workers runs alone from then on. */
export const aloneFrom = 2;

/** Whether a job with this many lost workers runs alone. */
export function goesAlone(deaths: number): boolean {
  return deaths >= aloneFrom;
}

/** The values that a claim writes into the leased rows. The end is in the database's time, because processes' clocks differ. */
export function leased(tag: PipeSql, { lease, durationMs }: { lease: string; durationMs: number }): Fragment {
  return tag`state = 'leased', lease = ${lease}, lease_until = app_now() + ${durationMs} * interval '1 millisecond'`;
}

/** Which due rows of `q` a claim can take: those that run alone, or all others. */
export function claimable(tag: PipeSql, alone: boolean): Fragment {
  return alone
    ? tag`q.state = 'due' and q.deaths > 1 and q.due_at <= app_now()`
    : tag`q.state = 'due' and q.deaths < 2 and q.due_at <= app_now()`;
}

export interface Claim {
  lease: string;
  durationMs: number;
  limit: number;
  /** Only jobs that run alone; without it, only the others. */
  alone: boolean;
  /** Projects whose jobs are skipped. */
  without?: readonly string[];
  /** Additional columns that the room writes, beginning with a comma. */
  more(tag: Sql): Fragment;
  /** The columns of `q` to return. */
  columns(tag: Sql): Fragment;
}

/** Leases due jobs, oldest first. Concurrent processes get different ones. */
export async function updateLeased<Row extends object>(tx: Tx, queue: QueueTable, claim: Claim): Promise<Row[]> {
  const tag = sql(tx);
  const { without = [] } = claim;
  const others = without.length === 0 ? tag`` : tag` and q.project_id <> all(${without}::text[])`;
  return tag<Row>`
    with picked as (select q.ctid as place from ${queue.table(tag)} q where ${claimable(tag, claim.alone)}${others}
      order by q.due_at limit ${claim.limit} for update skip locked)
    update ${queue.table(tag)} q set ${leased(tag, claim)}, attempts = q.attempts + 1${claim.more(tag)}
    from picked p where q.ctid = p.place
    returning ${claim.columns(tag)}`;
}

/** Extends leases that are still held; returns the jobs under them. */
export async function updateExtended(
  tx: Tx,
  queue: QueueTable,
  given: { leases: string[]; durationMs: number },
): Promise<{ job: string; lease: string }[]> {
  const tag = sql(tx);
  return tag<{ job: string; lease: string }>`
    update ${queue.table(tag)} q set lease_until = app_now() + ${given.durationMs} * interval '1 millisecond'
    where q.state = 'leased' and q.lease = any(${given.leases}::text[])
    returning ${queue.job(tag)} as job, q.lease`;
}

/** Makes one job due again after its attempt failed, with a clean record: its worker lives. */
export async function updateGivenUp(tx: Tx, queue: QueueTable, given: { job: string; lease: string; waitMs: number }): Promise<void> {
  const tag = sql(tx);
  await tag`
    update ${queue.table(tag)} q set state = 'due', deaths = 0, lease = null, lease_until = null,
      due_at = app_now() + ${given.waitMs} * interval '1 millisecond'
    where q.state = 'leased' and q.lease = ${given.lease} and ${queue.job(tag)} = ${given.job}`;
}

/** Makes everything due again that a process still holds at a clean end, which is no death. */
export async function updateHandedOver(tx: Tx, queue: QueueTable, holder: string): Promise<void> {
  const tag = sql(tx);
  await tag`
    update ${queue.table(tag)} q set state = 'due', lease = null, lease_until = null, due_at = app_now()
    where q.state = 'leased' and starts_with(q.lease, ${`${holder} `})`;
}

/** A job with an expired lease: its worker died, or stalled for longer. */
interface ExpiredJob {
  /** The location of its row, valid while this transaction locks it. */
  place: string;
  lease: string;
  deaths: number;
}

/** Which expired jobs to lock. */
interface ExpiredLease {
  limit: number;
  /** All jobs of this process, expired or not. */
  holder?: string;
  /** A further condition, beginning with `and`. */
  among?(tag: Sql): Fragment;
  /** Additional columns of `q` to return, beginning with a comma. */
  columns(tag: Sql): Fragment;
}

/** How long an expired job waits at most for the rest of its worker's. */
const togetherMs = 60_000;

/**
 * Locks jobs whose lease has expired, or all that one process holds. A job that was involved in an earlier death waits until all of its
 * worker's leases have expired, because the judgment depends on which other jobs were running.
 */
export async function lockExpired<More extends object = object>(
  tx: Tx,
  queue: QueueTable,
  given: ExpiredLease,
): Promise<(ExpiredJob & More)[]> {
  const tag = sql(tx);
  // Evaluated once, and not per job: after a large worker's death there are thousands.
  const living = tag`with living as materialized (
    select distinct split_part(o.lease, ' ', 1) as holder from ${queue.table(tag)} o
    where o.state = 'leased' and o.lease_until >= app_now() and strpos(o.lease, ' ') > 0)`;
  const hasExpired = tag`q.lease_until < app_now() and (q.deaths = 0 or q.lease_until < app_now() - ${togetherMs} * interval '1 millisecond'
      or split_part(q.lease, ' ', 1) not in (select holder from living))`;
  const ofHolder = tag`starts_with(q.lease, ${`${given.holder} `})`;
  return tag<ExpiredJob & More>`
    ${given.holder === undefined ? living : tag``}
    select q.ctid::text as place, q.lease, q.deaths${given.columns(tag)} from ${queue.table(tag)} q
    where q.state = 'leased' and ${given.holder === undefined ? hasExpired : ofHolder} ${given.among?.(tag) ?? tag``} limit ${given.limit}
    for update of q skip locked`;
}

/** The decision about an expired job. */
interface RequeuedJob {
  place: string;
  state: string;
  deaths: number;
  /** The delay until it is due; null keeps its time. */
  wait_ms: number | null;
}

/** Releases locked jobs from their expired leases. */
export async function updateRequeued(tx: Tx, queue: QueueTable, jobs: readonly RequeuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const tag = sql(tx);
  await tag`
    update ${queue.table(tag)} q set state = g.state, deaths = g.deaths,
      due_at = coalesce(app_now() + g.wait_ms * interval '1 millisecond', q.due_at), lease = null, lease_until = null
    from jsonb_to_recordset(${tag.json(jobs.map(({ place, state, deaths, wait_ms }) => ({ place, state, deaths, wait_ms })))})
      as g (place tid, state text, deaths smallint, wait_ms int)
    where q.ctid = g.place`;
}

export interface SetAsideJob {
  job: string;
  deaths: number;
  /** When it was due when it was set aside. */
  due_at: Date;
}

/** Jobs that are set aside, oldest first. */
export function listSetAside(db: Db, queue: QueueTable, limit: number): PromiseLike<Rows<SetAsideJob>> {
  const tag = sql(db);
  return tag<SetAsideJob>`
    select ${queue.job(tag)} as job, q.deaths, q.due_at from ${queue.table(tag)} q
    where q.state = 'set_aside' and q.deaths > 1 order by q.due_at limit ${limit}`;
}

/** Makes jobs that are set aside due again, with a clean record; null: all of them. */
export async function updateReleased(tx: Tx, queue: QueueTable, jobs: string[] | null): Promise<number> {
  const tag = sql(tx);
  const rows = await tag`
    update ${queue.table(tag)} q set state = 'due', deaths = 0, due_at = app_now()
    where q.state = 'set_aside' and q.deaths > 1 and (${jobs}::text[] is null or ${queue.job(tag)} = any(${jobs}::text[]))`;
  return rows.count;
}
