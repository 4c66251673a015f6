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

/** Counts LIVE traffic in the current ten minutes, in the same order everywhere. */
export function countTraffic<On extends Tx | Pipe>(on: On, traffic: readonly Traffic[]): Sent<On, void> {
  if (traffic.length === 0) return known(on, undefined);
  const of = <K extends keyof Traffic>(name: K) => traffic.map((one) => one[name]);
  return send(
    on,
    sql(on)`
    insert into traffic_counts as t (project_id, livemode, channel, prefix, slot, messages, codes, approved)
    select project_id, livemode, channel, prefix, date_bin(interval '10 minutes', app_now(), timestamptz '2026-01-01'), sum(messages),
      sum(codes), sum(approved)
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("channel")}::text[],
      ${of("prefix")}::text[], ${of("messages")}::int[], ${of("codes")}::int[], ${of("approved")}::int[])
      as given (project_id, livemode, channel, prefix, messages, codes, approved)
    group by project_id, livemode, channel, prefix order by project_id, livemode, channel, prefix
    on conflict (project_id, livemode, channel, prefix, slot) do update
      set messages = t.messages + excluded.messages, codes = t.codes + excluded.codes, approved = t.approved + excluded.approved`,
    () => {},
  );
}

/** A range of a project with much recent traffic. */
export type RangeKey = Tenant & { channel: PricedChannel; prefix: string };

export interface BusyRange extends RangeKey {
  /** A pause of part of it was released recently: a person has checked that part. */
  is_partly_released: boolean;
}

interface Busy {
  minutes: number;
  least: number;
  restDays: number;
  /** The last one of the previous portion; null for the first one. */
  after: RangeKey | null;
  limit: number;
}

/**
 * Ranges with at least `least` messages or calls in the last `minutes` minutes, in a fixed order, without those that are paused or were
 * released recently.
 */
export async function listBusyRanges(db: Db, { minutes, least, restDays, after, limit }: Busy): Promise<BusyRange[]> {
  const tag = sql(db);
  const next =
    after === null
      ? tag``
      : tag`and (t.project_id, t.livemode, t.channel, t.prefix)
          > (${after.project_id}, ${after.livemode}, ${after.channel}, ${after.prefix})`;
  return tag<BusyRange>`
    -- all tenants: one loop judges every tenant's traffic
    select t.project_id, t.livemode, t.channel, t.prefix, exists (
      select from messaging_pauses p
      where p.project_id = t.project_id and p.livemode = t.livemode and p.channel = t.channel and p.prefix like t.prefix || '%'
        and p.released_at > app_now() - ${restDays} * interval '1 day') as is_partly_released
    from traffic_counts t
    where t.slot > app_now() - ${minutes} * interval '1 minute' and not exists (
      select from messaging_pauses p
      where p.project_id = t.project_id and p.livemode = t.livemode and p.channel = t.channel and t.prefix like p.prefix || '%'
        and (p.status = 'active' or p.released_at > app_now() - ${restDays} * interval '1 day'))
      ${next}
    group by t.project_id, t.livemode, t.channel, t.prefix having sum(t.messages) >= ${least}
    order by t.project_id, t.livemode, t.channel, t.prefix limit ${limit}`;
}

/** The composition of a project's traffic in one channel. */
export interface Sums {
  /** Recent: in the range, and in total. `matured` are codes of slots that ended ten minutes ago: there was time to enter them. */
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

/** The sums of some ranges of a project's channel, from one read for all of them. */
export async function listSums(
  db: Db,
  { project_id, livemode, channel }: Omit<RangeKey, "prefix">,
  given: { prefixes: readonly string[]; minutes: number; days: number },
): Promise<(Sums & { prefix: string })[]> {
  return sql(db)<Sums & { prefix: string }>`
    with counted as (
      select prefix, slot > app_now() - ${given.minutes} * interval '1 minute' as late, slot <= app_now() - interval '20 minutes' as ripe,
        messages, codes, approved
      from traffic_counts
      where project_id = ${project_id} and livemode = ${livemode} and channel = ${channel}
        and slot > app_now() - ${given.days} * interval '1 day'),
    ranges as (
      select prefix, coalesce(sum(messages) filter (where late), 0) as messages, coalesce(sum(codes) filter (where late), 0) as codes,
        coalesce(sum(codes) filter (where late and ripe), 0) as matured, coalesce(sum(approved) filter (where late), 0) as approved,
        coalesce(sum(messages) filter (where not late), 0) as past_messages
      from counted group by prefix),
    compared as (
      select prefix, messages, codes, matured, approved, past_messages, sum(messages) over () as all_messages,
        sum(matured) over () as all_matured, sum(approved) over () as all_approved, sum(past_messages) over () as past_all
      from ranges)
    select prefix, messages::bigint as messages, codes::bigint as codes, matured::bigint as matured, approved::bigint as approved,
      past_messages::bigint as past_messages, all_messages::bigint as all_messages, all_matured::bigint as all_matured,
      all_approved::bigint as all_approved, past_all::bigint as past_all
    from compared where prefix = any(${[...given.prefixes]}::text[])`;
}

interface Looking {
  minutes: number;
  restDays: number;
  limit: number;
}

/**
 * Numbers in a range that were recently written to or called, without duplicates, and without those whose part of it is paused or was
 * released recently.
 */
export async function listRecipients(db: Db, { project_id, livemode, channel, prefix }: RangeKey, given: Looking): Promise<string[]> {
  const rows = await sql(db)<{ recipient: string }>`
    select distinct recipient from (
      select c.recipient from message_charges c
      where c.project_id = ${project_id} and c.livemode = ${livemode} and c.channel = ${channel} and c.prefix = ${prefix}
        and c.created_at > app_now() - ${given.minutes} * interval '1 minute' and not exists (
          select from messaging_pauses p
          where p.project_id = ${project_id} and p.livemode = ${livemode} and p.channel = ${channel}
            and c.recipient like '+' || p.prefix || '%'
            and (p.status = 'active' or p.released_at > app_now() - ${given.restDays} * interval '1 day'))
      order by c.created_at desc limit ${given.limit}) newest`;
  return rows.map(({ recipient }) => recipient);
}

/** Deletes traffic that is no longer assessed. Returns how many rows. */
export async function deleteOldTraffic(tx: Tx, days: number, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from traffic_counts where (project_id, livemode, channel, prefix, slot) in (
      select project_id, livemode, channel, prefix, slot from traffic_counts where slot < app_now() - ${days} * interval '1 day'
      order by slot limit ${limit} for update skip locked)`;
  return rows.count;
}
