import { sql, type Tx } from "#platform/sql.ts";

export interface Window {
  used: number;
  /** Until the window ends. */
  left_ms: number;
}

/** Counts one attempt of a subject; a window that has ended starts again. */
export async function insertAttempt(tx: Tx, given: { subject: string; window_ms: number; limit: number }): Promise<Window> {
  const [row] = await sql(tx)<Window>`
    insert into sign_in_windows as w (subject, used, ends_at)
    values (${given.subject}, 1, app_now() + ${given.window_ms} * interval '1 millisecond')
    on conflict (subject) do update set
      used = case when w.ends_at <= app_now() then 1 else least(w.used + 1, ${given.limit + 1}) end,
      ends_at = case when w.ends_at <= app_now() then excluded.ends_at else w.ends_at end
    returning used, ceil(extract(epoch from ends_at - app_now()) * 1000)::bigint as left_ms`;
  return row as Window;
}
