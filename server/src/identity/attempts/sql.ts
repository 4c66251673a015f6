import { sql, type Tx } from "#platform/sql.ts";

export interface Window {
  used: number;
  /** Until the window ends. */
  left_ms: number;
}

/** Counts one attempt of a subject; a window that has ended, or was opened while the clock was ahead, starts again. */
export async function insertAttempt(tx: Tx, given: { subject: string; window_ms: number; limit: number }): Promise<Window> {
  const isOver = sql(tx)`(w.ends_at <= app_now() or w.ends_at > excluded.ends_at + interval '1 minute')`;
  const [row] = await sql(tx)<Window>`
    insert into sign_in_windows as w (subject, used, ends_at)
    values (${given.subject}, 1, app_now() + ${given.window_ms} * interval '1 millisecond')
    on conflict (subject) do update set
      used = case when ${isOver} then 1 else least(w.used + 1, ${given.limit + 1}) end,
      ends_at = case when ${isOver} then excluded.ends_at else w.ends_at end
    returning used, ceil(extract(epoch from ends_at - app_now()) * 1000)::bigint as left_ms`;
  return row as Window;
}

/**
 * Records that a subject was used, for as long as `window_ms`; false if it was used before. What was used while the clock was ahead stays
 * used after it was set back.
 */
export async function insertUse(tx: Tx, given: { subject: string; window_ms: number }): Promise<boolean> {
  const rows = await sql(tx)`
    insert into sign_in_windows as w (subject, used, ends_at)
    values (${given.subject}, 1, app_now() + ${given.window_ms} * interval '1 millisecond')
    on conflict (subject) do update set ends_at = excluded.ends_at where w.ends_at <= app_now()`;
  return rows.count === 1;
}
