import { ownProject } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface DatabaseFacts {
  version: number;
  now: Date;
  encoding: string;
  is_durable: boolean;
}

export async function findDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await sql(db)<DatabaseFacts>`
    select current_setting('server_version_num')::int as version,
      (select query_start from pg_stat_activity where pid = pg_backend_pid()) as now, current_setting('server_encoding') as encoding,
      current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off' as is_durable`;
  return row as DatabaseFacts;
}

/** The newest projects, for an operator who hasn't specified one. */
export async function listNewestProjects(db: Db, limit: number): Promise<{ id: string; name: string }[]> {
  return await sql(db)<{ id: string; name: string }>`
    -- all tenants: the operator at the command line chooses among all projects
    select id, name from projects where id <> ${ownProject.project_id} order by id desc limit ${limit}`;
}

/** Everyone except the only person of a demo. */
export async function countSettledPeople(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from people where provisional_operator is not true`;
  return row?.count ?? 0;
}
