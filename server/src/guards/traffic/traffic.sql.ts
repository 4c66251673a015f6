import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { PricedChannel } from "../prices/prices.sql.ts";

export interface Traffic extends Tenant {
  channel: PricedChannel;
  prefix: string;
  messages: number;
  codes: number;
  approved: number;
}

/** Counts LIVE traffic in the current ten minutes, in one order everywhere. */
export function countTraffic<On extends Tx | Pipe>(on: On, traffic: readonly Traffic[]): Sent<On, void> {
  if (traffic.length === 0) return known(on, undefined);
  const of = <K extends keyof Traffic>(name: K) => traffic.map((one) => one[name]);
  return send(
    on,
    sql(on)`
    insert into traffic_counts as t (project_id, livemode, channel, prefix, slot, messages, codes, approved)
    select project_id, livemode, channel, prefix, date_bin(interval '10 minutes', app_now(), timestamptz '2026-01-01'), sum(messages), sum(codes), sum(approved)
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("channel")}::text[], ${of("prefix")}::text[],
      ${of("messages")}::int[], ${of("codes")}::int[], ${of("approved")}::int[]) as given (project_id, livemode, channel, prefix, messages, codes, approved)
    group by project_id, livemode, channel, prefix order by project_id, livemode, channel, prefix
    on conflict (project_id, livemode, channel, prefix, slot) do update
      set messages = t.messages + excluded.messages, codes = t.codes + excluded.codes, approved = t.approved + excluded.approved`,
    () => {},
  );
}

/** What is looked at: a range of a project's in which much happened of late. */
export type RangeKey = Tenant & { channel: PricedChannel; prefix: string };

/** Ranges with at least so many messages or calls in the last so many minutes, those that are paused or were released of late left out. */
export async function listBusyRanges(db: Db, given: { minutes: number; least: number; restDays: number; limit: number }): Promise<RangeKey[]> {
  return sql(db)<RangeKey>`
    -- all tenants: one loop judges every tenant's traffic
    select t.project_id, t.livemode, t.channel, t.prefix from traffic_counts t
    where t.slot > app_now() - ${given.minutes} * interval '1 minute' and not exists (
      select from messaging_pauses p
      where p.project_id = t.project_id and p.livemode = t.livemode and p.channel = t.channel
        and (t.prefix like p.prefix || '%' or (p.prefix like t.prefix || '%' and p.status = 'released'))
        and (p.status = 'active' or p.released_at > app_now() - ${given.restDays} * interval '1 day'))
    group by t.project_id, t.livemode, t.channel, t.prefix having sum(t.messages) >= ${given.least}
    order by sum(t.messages) desc limit ${given.limit}`;
}

/** How a project's traffic of one channel is made up. */
export interface Sums {
  /** In the last while: in the range, and in all. `matured` are codes of slots that ended ten minutes ago: they had time to come back. */
  messages: number;
  codes: number;
  matured: number;
  approved: number;
  all_messages: number;
  all_matured: number;
  all_approved: number;
  /** In the days before. */
  past_messages: number;
  past_all: number;
}

export async function findSums(db: Db, { project_id, livemode, channel, prefix }: RangeKey, given: { minutes: number; days: number }): Promise<Sums> {
  const [row] = await sql(db)<Sums>`
    with counted as (
      select prefix = ${prefix} as mine, slot > app_now() - ${given.minutes} * interval '1 minute' as late, slot <= app_now() - interval '20 minutes' as ripe,
        messages, codes, approved
      from traffic_counts
      where project_id = ${project_id} and livemode = ${livemode} and channel = ${channel} and slot > app_now() - ${given.days} * interval '1 day')
    select coalesce(sum(messages) filter (where mine and late), 0) as messages, coalesce(sum(codes) filter (where mine and late), 0) as codes,
      coalesce(sum(codes) filter (where mine and late and ripe), 0) as matured, coalesce(sum(approved) filter (where mine and late), 0) as approved,
      coalesce(sum(messages) filter (where late), 0) as all_messages, coalesce(sum(codes) filter (where late and ripe), 0) as all_matured,
      coalesce(sum(approved) filter (where late), 0) as all_approved, coalesce(sum(messages) filter (where mine and not late), 0) as past_messages,
      coalesce(sum(messages) filter (where not late), 0) as past_all
    from counted`;
  return row as Sums;
}

/** Numbers in a range that were written to or called of late, each once. */
export async function listRecipients(
  db: Db,
  { project_id, livemode, channel, prefix }: RangeKey,
  given: { minutes: number; limit: number },
): Promise<string[]> {
  const rows = await sql(db)<{ recipient: string }>`
    select distinct recipient from (
      select recipient from message_charges
      where project_id = ${project_id} and livemode = ${livemode} and channel = ${channel} and prefix = ${prefix}
        and created_at > app_now() - ${given.minutes} * interval '1 minute'
      order by created_at desc limit ${given.limit}) newest`;
  return rows.map(({ recipient }) => recipient);
}

/** Forgets what traffic is no longer judged by. Answers how many rows. */
export async function deleteOldTraffic(tx: Tx, days: number, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from traffic_counts where (project_id, livemode, channel, prefix, slot) in (
      select project_id, livemode, channel, prefix, slot from traffic_counts where slot < app_now() - ${days} * interval '1 day'
      order by slot limit ${limit} for update skip locked)`;
  return rows.count;
}
