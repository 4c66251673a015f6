import { isoOf, type Tenant, type Tx } from "#platform/index.ts";
import { type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { PricedChannel } from "../prices/prices.sql.ts";

export type Measure = "spend_micros" | "segments" | "minutes";

/** What one message or call is charged. */
export interface Charge extends Tenant {
  message_id: string;
  channel: PricedChannel;
  recipient: string;
  prefix: string;
  measure: Measure;
  /** Of money; null for segments and minutes. */
  currency: string | null;
  /** `2026-11-24`. */
  day: string;
  unit_amount: number;
  reserved: number;
  created_at: Date;
}

export function insertCharges(pipe: Pipe, charges: readonly Charge[]): Sent<Pipe, void> {
  const of = <K extends keyof Charge>(name: K) => charges.map((one) => one[name]);
  return send(
    pipe,
    sql(pipe)`
    insert into message_charges (project_id, livemode, message_id, channel, recipient, prefix, measure, currency, day, unit_amount,
      reserved, amount, created_at)
    select project_id, livemode, message_id, channel, recipient, prefix, measure, currency, day, unit_amount, reserved, reserved, created_at
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("message_id")}::text[],
      ${of("channel")}::text[], ${of("recipient")}::text[], ${of("prefix")}::text[], ${of("measure")}::text[], ${of("currency")}::text[],
      ${of("day")}::date[], ${of("unit_amount")}::bigint[], ${of("reserved")}::bigint[],
      ${charges.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
      as given (project_id, livemode, message_id, channel, recipient, prefix, measure, currency, day, unit_amount, reserved, created_at)`,
    () => {},
  );
}

/** The final charge. */
export interface Settlement extends Tenant {
  message_id: string;
  /** Segments that were sent, or started minutes. */
  units: number;
}

/** What a final charge leaves of what was reserved. */
export interface Freed extends Tenant {
  measure: Measure;
  currency: string | null;
  day: string;
  freed: number;
}

/** Stores final charges, once each; returns what that frees. */
export async function updateCharges(tx: Tx, settled: readonly Settlement[]): Promise<Freed[]> {
  const of = <K extends keyof Settlement>(name: K) => settled.map((one) => one[name]);
  return sql(tx)<Freed>`
    -- all tenants: each message names its own project and environment
    update message_charges c set amount = c.unit_amount * g.units, settled = true
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("message_id")}::text[],
      ${of("units")}::int[]) as g (project_id, livemode, message_id, units)
    where c.project_id = g.project_id and c.livemode = g.livemode and c.message_id = g.message_id and not c.settled
    returning c.project_id, c.livemode, c.measure, c.currency, c.day::text as day, c.reserved - c.amount as freed`;
}

export interface Window extends Tenant {
  channel: PricedChannel;
  recipient: string;
  wanted: number;
  short_s: number;
  long_s: number;
}

export interface WindowUse {
  channel: PricedChannel;
  recipient: string;
  short_used: number;
  short_left_s: number;
  long_used: number;
  long_left_s: number;
}

/** Counts messages of recipients, in the same order everywhere; a window that has ended, or is from while the clock was ahead, restarts. */
export function insertRecipientWindows(pipe: Pipe, windows: readonly Window[]): Sent<Pipe, WindowUse[]> {
  const of = <K extends keyof Window>(name: K) => windows.map((one) => one[name]);
  const tag = sql(pipe);
  const isShortOver = tag`(w.short_ends <= app_now() or w.short_ends > excluded.short_ends + interval '1 minute')`;
  const isLongOver = tag`(w.long_ends <= app_now() or w.long_ends > excluded.long_ends + interval '1 minute')`;
  return send(
    pipe,
    tag<WindowUse>`
    insert into recipient_windows as w (project_id, livemode, channel, recipient, short_used, short_ends, long_used, long_ends)
    select project_id, livemode, channel, recipient, wanted, app_now() + short_s * interval '1 second', wanted,
      app_now() + long_s * interval '1 second'
    from unnest(${of("project_id")}::text[], ${of("livemode").map(String)}::text[]::boolean[], ${of("channel")}::text[],
      ${of("recipient")}::text[], ${of("wanted")}::int[], ${of("short_s")}::int[], ${of("long_s")}::int[])
      as given (project_id, livemode, channel, recipient, wanted, short_s, long_s)
    order by project_id, livemode, channel, recipient
    on conflict (project_id, livemode, channel, recipient) do update set
      short_used = case when ${isShortOver} then excluded.short_used else w.short_used + excluded.short_used end,
      short_ends = case when ${isShortOver} then excluded.short_ends else w.short_ends end,
      long_used = case when ${isLongOver} then excluded.long_used else w.long_used + excluded.long_used end,
      long_ends = case when ${isLongOver} then excluded.long_ends else w.long_ends end
    returning channel, recipient, short_used, ceil(extract(epoch from short_ends - app_now()))::int as short_left_s, long_used,
      ceil(extract(epoch from long_ends - app_now()))::int as long_left_s`,
    (rows) => rows,
  );
}

/** Deletes windows that have ended. Returns how many. */
export async function deleteEndedWindows(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what has ended is forgotten everywhere alike
    delete from recipient_windows where (project_id, livemode, channel, recipient) in (
      select project_id, livemode, channel, recipient from recipient_windows where long_ends <= app_now()
      order by long_ends limit ${limit} for update skip locked)`;
  return rows.count;
}

/** Deletes charges, and sums of periods, from before a day. Returns how many charges. */
export async function deleteOldCharges(
  tx: Tx,
  { charges, periods, limit }: { charges: Date; periods: string; limit: number },
): Promise<number> {
  await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from message_spending where (project_id, livemode, measure, period) in (
      select project_id, livemode, measure, period from message_spending where period < ${periods}
      order by period limit ${limit} for update skip locked)`;
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from message_charges where (project_id, livemode, message_id) in (
      select project_id, livemode, message_id from message_charges where created_at < ${charges}
      order by created_at limit ${limit} for update skip locked)`;
  return rows.count;
}
