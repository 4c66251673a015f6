import { type Db, sql } from "../sql.ts";
import { windowAheadMs } from "./limits.ts";
import type { SharedWindow } from "./shared-limits.ts";

/**
 * Takes up to `count` places in one statement, on the database's clock, because the nodes' clocks may differ. null: the window is full, and
 * nothing was written.
 */
export async function insertPlaces(
  db: Db,
  given: { window: string; limit: number; windowMs: number; count: number },
): Promise<SharedWindow | null> {
  const { window, limit, windowMs, count } = given;
  const tag = sql(db);
  const isOver = tag`(w.ends_at_ms <= excluded.ends_at_ms - ${windowMs}::bigint
    or w.ends_at_ms > excluded.ends_at_ms + ${windowAheadMs}::bigint)`;
  const [row] = await tag<SharedWindow>`
    with clock as materialized (select limit_clock_ms() as now_ms),
    taken as (
      insert into limit_windows as w (name, used, granted, ends_at_ms)
      select ${window}, least(${count}::int, ${limit}::int), least(${count}::int, ${limit}::int), now_ms + ${windowMs}::bigint
      from clock
      on conflict (name) do update set
        granted = case when ${isOver} then excluded.granted
          else least(${count}::int, ${limit}::int - w.used) end,
        used = case when ${isOver} then excluded.used
          else w.used + least(${count}::int, ${limit}::int - w.used) end,
        ends_at_ms = case when ${isOver} then excluded.ends_at_ms else w.ends_at_ms end
      where ${isOver} or w.used < ${limit}::int
      returning granted, used, ends_at_ms)
    -- Whoever waited for the row read the clock before the window opened.
    select granted, used, ends_at_ms as "resetsAtMs", greatest(now_ms, ends_at_ms - ${windowMs}::bigint) as "nowMs" from taken, clock`;
  return row ?? null;
}

/** The current window; a new one if there is none. */
export async function findWindow(db: Db, window: string, windowMs: number): Promise<Omit<SharedWindow, "granted">> {
  const [row] = await sql(db)<Omit<SharedWindow, "granted">>`
    select coalesce(w.used, 0) as used, coalesce(w.ends_at_ms, now_ms + ${windowMs}::bigint) as "resetsAtMs", now_ms as "nowMs"
    from (select limit_clock_ms() as now_ms) clock
    left join limit_windows w on w.name = ${window} and w.ends_at_ms > now_ms
      and w.ends_at_ms <= now_ms + ${windowMs}::bigint + ${windowAheadMs}::bigint`;
  return row as Omit<SharedWindow, "granted">;
}

export async function updateUsed(db: Db, window: string, resetsAtMs: number): Promise<void> {
  await sql(db)`update limit_windows set used = used - 1 where name = ${window} and ends_at_ms = ${resetsAtMs} and used > 0`;
}

export async function deleteEndedWindows(db: Db): Promise<void> {
  await sql(db)`
    delete from limit_windows where name in (
      select name from limit_windows where ends_at_ms < limit_clock_ms() order by name limit 10000 for update skip locked)`;
}
