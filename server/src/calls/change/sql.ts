import { amongWanted, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { CallKey, CallStep } from "../shapes.ts";

/** Scheduled calls that are due. */
export async function listWaiting(tx: Tx, wanted: WantedRows): Promise<CallKey[]> {
  const tag = sql(tx);
  return tag<CallKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from calls where state = 'waiting' and due_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
      order by due_at limit ${wanted.limit}`;
}

/** Expired calls that no worker took. */
export async function listOverdue(tx: Tx, wanted: WantedRows): Promise<CallKey[]> {
  const tag = sql(tx);
  return tag<CallKey>`
    -- all tenants: one loop serves every tenant
    select project_id, livemode, id from calls
    where state in ('due', 'set_aside') and expires_at <= app_now() ${amongWanted(tag, tag`id`, wanted)}
    order by expires_at limit ${wanted.limit}`;
}

/** Stores the steps of calls whose texts are retained. */
export async function updateSteps(tx: Tx, rows: readonly (CallKey & { steps: CallStep[] })[]): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ project_id, livemode, id, steps }) => ({ project_id, livemode, id, steps }));
  await sql(tx)`
    -- all tenants: each row names its own project and environment
    update calls c set said = c.said || jsonb_build_object('steps', g.steps)
    from jsonb_to_recordset(${sql(tx).json(given)}) as g (project_id text collate "C", livemode boolean, id text collate "C", steps jsonb)
    where c.project_id = g.project_id and c.livemode = g.livemode and c.id = g.id and c.said is not null`;
}

/** Deletes a call's texts and keys. Returns true if there were any. */
export async function updateDeletedBody(tx: Tx, { project_id, livemode, id }: CallKey): Promise<boolean> {
  const rows = await sql(tx)`
    update calls set said = null, gathered = '{}', digits = ''
    where project_id = ${project_id} and livemode = ${livemode} and id = ${id} and (said is not null or gathered <> '{}' or digits <> '')`;
  return rows.count === 1;
}

/** Deletes the texts and keys of old calls: a call without texts has no keys. */
export async function updateCleared(tx: Tx, given: { before: Date; limit: number }): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    update calls c set said = null, gathered = '{}', digits = '' from (
      select project_id, livemode, id from calls where said is not null and state = 'done' and ended_at < ${given.before}
      order by ended_at limit ${given.limit}) old
    where c.project_id = old.project_id and c.livemode = old.livemode and c.id = old.id`;
  return rows.count;
}
