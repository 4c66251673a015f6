import { isoOf, type Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { SendingChannel } from "../channel.ts";
import type { StoredReport, TransportMinute, TransportReport } from "./shapes.ts";

/** Stores the current state of one process's transports, replacing its previous report. */
export async function insertReports(tx: Tx, process: string, reports: readonly TransportReport[]): Promise<void> {
  const given = reports.map((one) => ({
    ...one,
    state_at: isoOf(one.state_at),
    paused_until: isoOf(one.paused_until),
    error_at: isoOf(one.error_at),
  }));
  await sql(tx)`
    insert into transport_reports as r
      (process, channel, name, kind, state, state_at, paused_until, error, error_at, in_flight, capacity, stopped, reported_at)
    select ${process}, g.channel, g.name, g.kind, g.state, g.state_at, g.paused_until, g.error, g.error_at,
      g.in_flight, g.capacity, false, app_now()
    from jsonb_to_recordset(${sql(tx).json(given)}) as g (channel text, name text collate "C", kind text, state text, state_at timestamptz,
      paused_until timestamptz, error text, error_at timestamptz, in_flight int, capacity int)
    on conflict (process, channel, name) do update set kind = excluded.kind, state = excluded.state, state_at = excluded.state_at,
      paused_until = excluded.paused_until, error = excluded.error, error_at = excluded.error_at, in_flight = excluded.in_flight,
      capacity = excluded.capacity, stopped = false, reported_at = excluded.reported_at`;
}

/** Adds what was sent since the previous report to the current minute. Several processes add to one row, always in the same order. */
export async function insertMinutes(tx: Tx, reports: readonly TransportReport[]): Promise<void> {
  const given = reports
    .filter(({ handed, failed }) => handed + failed > 0)
    .map(({ channel, name, handed, failed }) => ({ channel, name, handed, failed }));
  if (given.length === 0) return;
  await sql(tx)`
    insert into transport_minutes as m (channel, name, minute, handed, failed)
    select g.channel, g.name, date_trunc('minute', app_now()), g.handed, g.failed
    from jsonb_to_recordset(${sql(tx).json(given)}) as g (channel text, name text collate "C", handed int, failed int)
    order by g.channel, g.name
    on conflict (channel, name, minute) do update set handed = m.handed + excluded.handed, failed = m.failed + excluded.failed`;
}

export async function updateStopped(tx: Tx, process: string): Promise<void> {
  await sql(tx)`update transport_reports set stopped = true where process = ${process}`;
}

export async function deleteOldReports(tx: Tx): Promise<void> {
  await sql(tx)`
    delete from transport_reports where (process, channel, name) in (
      select process, channel, name from transport_reports where reported_at < app_now() - interval '1 day'
      limit 500 for update skip locked)`;
}

export async function deleteOldMinutes(tx: Tx): Promise<void> {
  await sql(tx)`
    delete from transport_minutes where (channel, name, minute) in (
      select channel, name, minute from transport_minutes where minute < app_now() - interval '2 hours' limit 500 for update skip locked)`;
}

/** The processes' reports of the last day. */
export async function listReports(db: Db, staleS: number): Promise<StoredReport[]> {
  return sql(db)<StoredReport>`
    select process, channel, name, kind, state, state_at, paused_until, error, error_at, in_flight, capacity, stopped, reported_at,
      reported_at < app_now() - make_interval(secs => ${staleS}) as stale
    from transport_reports order by channel, name, process`;
}

/** The last minutes of each transport, the current one last; minutes without messages are included. */
export async function listMinutes(db: Db, minutes: number): Promise<(TransportMinute & { channel: string; name: string })[]> {
  return sql(db)<TransportMinute & { channel: string; name: string }>`
    select w.channel, w.name, shown.minute, coalesce(m.handed, 0) as handed, coalesce(m.failed, 0) as failed
    from (select distinct channel, name from transport_reports) w
    cross join generate_series(date_trunc('minute', app_now()) - make_interval(mins => ${minutes - 1}), date_trunc('minute', app_now()),
      interval '1 minute') as shown (minute)
    left join transport_minutes m on m.channel = w.channel and m.name = w.name and m.minute = shown.minute
    order by w.channel, w.name, shown.minute`;
}

/** LIVE jobs of one channel. */
export interface Waiting {
  /** Due and not claimed by a worker yet. */
  waiting: number;
  oldest_due_at: Date | null;
  /** For a later time: scheduled, or to be retried. */
  scheduled: number;
  under_way: number;
  /** Not retried any more until an operator releases it. */
  set_aside: number;
}

/** How many jobs of a channel wait, are in progress and are set aside. Each count only reads the index of its state. */
export async function findWaiting(db: Db, { queue }: Pick<SendingChannel, "queue">): Promise<Waiting> {
  const table = queue.table(sql(db));
  const [row] = await sql(db)<Waiting>`
    -- all tenants: the operator's view of the whole installation
    select
      (select count(*) from ${table} q where q.state = 'due' and q.livemode) as waiting,
      (select min(q.due_at) from ${table} q where q.state = 'due' and q.livemode and q.due_at <= app_now()) as oldest_due_at,
      (select count(*) from ${table} q where q.state = 'waiting' and q.livemode) as scheduled,
      (select count(*) from ${table} q where q.state = 'leased' and q.livemode) as under_way,
      (select count(*) from ${table} q where q.state = 'set_aside' and q.deaths > 1 and q.livemode) as set_aside`;
  return row ?? { waiting: 0, oldest_due_at: null, scheduled: 0, under_way: 0, set_aside: 0 };
}
