import { sql, type Tx } from "../sql.ts";

/** Records which workers were lost, each with its number of jobs. One that is already recorded and was alive is recorded again. */
export async function insertDeaths(tx: Tx, queue: string, workers: { holder: string; jobs: number }[]): Promise<void> {
  await sql(tx)`
    insert into worker_deaths as d (queue, holder, noticed_at, jobs)
    select ${queue}, holder, app_now(), jobs from unnest(${workers.map(({ holder }) => holder)}::text[],
      ${workers.map(({ jobs }) => jobs)}::int[]) as g (holder, jobs)
    on conflict (queue, holder) do update set noticed_at = excluded.noticed_at, jobs = d.jobs + excluded.jobs`;
}

/** Recently lost workers. */
export async function countDeaths(tx: Tx, queue: string, withinMs: number): Promise<number> {
  const [row] = await sql(tx)<{ count: number }>`
    select count(*) as count from worker_deaths
    where queue = ${queue} and noticed_at > app_now() - ${withinMs} * interval '1 millisecond'`;
  return row?.count ?? 0;
}

export async function deleteOldDeaths(tx: Tx, queue: string, retentionMs: number): Promise<void> {
  await sql(tx)`delete from worker_deaths where queue = ${queue} and noticed_at < app_now() - ${retentionMs} * interval '1 millisecond'`;
}
