import { sql, type Tx } from "#platform/sql.ts";

export interface Window {
  used: number;
  ends_at: Date;
}

/** Counts one attempt of a subject; a window that ended begins anew. */
export async function insertAttempt(tx: Tx, given: { subject: string; now: Date; ends_at: Date; limit: number }): Promise<Window> {
  const [row] = await sql(tx)<Window>`
    insert into sign_in_windows as w (subject, used, ends_at) values (${given.subject}, 1, ${given.ends_at})
    on conflict (subject) do update set
      used = case when w.ends_at <= ${given.now} then 1 else least(w.used + 1, ${given.limit + 1}) end,
      ends_at = case when w.ends_at <= ${given.now} then excluded.ends_at else w.ends_at end
    returning used, ends_at`;
  return row as Window;
}
