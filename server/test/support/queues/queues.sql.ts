import type { QueueTable } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Jobs that workers were lost with and that haven't been tried since. */
export async function listDeaths(db: Db, queue: QueueTable): Promise<{ job: string; deaths: number; state: string }[]> {
  const tag = sql(db);
  const rows = await tag<{ job: string; deaths: number; state: string }>`
    select ${queue.job(tag)} as job, q.deaths, q.state from ${queue.table(tag)} q
      where q.deaths > 0 and q.state in ('due', 'leased', 'set_aside') order by 1`;
  return [...rows];
}

/** How many of a queue's jobs are neither ended nor set aside, and how many have ended well. */
export async function countJobs(db: Db, queue: QueueTable): Promise<{ open: number; done: number }> {
  const tag = sql(db);
  const [row] = await tag<{ open: number; done: number }>`
    select count(*) filter (where q.state in ('waiting', 'due', 'leased'))::int as open,
      count(*) filter (where q.state in ('succeeded', 'done'))::int as done
    from ${queue.table(tag)} q`;
  return row as { open: number; done: number };
}
