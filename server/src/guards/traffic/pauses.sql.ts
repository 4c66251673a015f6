import type { PageQuery, Tenant, Tx } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { PricedChannel } from "../prices/prices.sql.ts";
import type { Finding, PauseCause, PauseFigures } from "./assess-traffic.ts";
import { type PauseStatus, pauseStates } from "./states.ts";
import type { RangeKey } from "./traffic.sql.ts";

export interface PauseRow extends Tenant {
  id: string;
  channel: PricedChannel;
  /** Prefix of numbers, in digits. */
  prefix: string;
  cause: PauseCause;
  figures: PauseFigures;
  status: PauseStatus;
  paused_at: Date;
  released_at: Date | null;
}

/** With its owner, for operators. */
export interface PauseOverview extends PauseRow {
  merchant_id: string;
  merchant_name: string;
  project_name: string;
}

export interface PauseQuery extends PageQuery {
  status: readonly string[];
}

const pauseColumns: ColumnsOf<PauseRow> = columns(
  "messaging_pauses",
  `
  project_id, livemode, id, channel, prefix, cause, figures, status, paused_at, released_at`,
);

/** Pauses a range unless it already is; null if it is. */
export async function insertPause(
  tx: Tx,
  { project_id, livemode, channel }: RangeKey,
  given: { id: string; finding: Finding },
): Promise<PauseRow | null> {
  const tag = sql(tx);
  const { prefix, cause, figures } = given.finding;
  const [row] = await tag<PauseRow>`
    insert into messaging_pauses (project_id, livemode, id, channel, prefix, cause, figures, status, paused_at)
    values (${project_id}, ${livemode}, ${given.id}, ${channel}, ${prefix}, ${cause}, ${tag.json(figures)}, 'active', app_now())
    on conflict (project_id, livemode, channel, prefix) where status = 'active' do nothing
    returning ${pauseColumns}`;
  return row ?? null;
}

export async function findPauseRow(db: Db, tenant: Tenant, id: string): Promise<PauseRow | null> {
  const [row] = await sql(db)<PauseRow>`
    select ${pauseColumns} from messaging_pauses where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

export function listPauseRows(
  db: Db,
  tenant: Tenant,
  given: { status: readonly string[]; cut: PageCut | null },
): PromiseLike<Rows<PauseRow>> & Fragment {
  const tag = sql(db);
  return tag<PauseRow>`
    select ${pauseColumns} from messaging_pauses
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      ${given.status.length === 0 ? tag`` : tag`and status = any(${[...given.status]}::text[])`} ${listEnd(db, tag`id`, given.cut)}`;
}

/** Pauses of all projects, with their owners; or one, by its id. */
export function listAllPauseRows(
  db: Db,
  given: { id: string | null; status: readonly string[]; cut: PageCut | null },
): PromiseLike<Rows<PauseOverview>> & Fragment {
  const tag = sql(db);
  return tag<PauseOverview>`
    -- all tenants: operators see the pauses of every project
    select ${pauseColumns.of("s")}, j.merchant_id, m.display_name as merchant_name, j.name as project_name
    from messaging_pauses s join projects j on j.id = s.project_id join merchants m on m.id = j.merchant_id
    where true ${given.id === null ? tag`` : tag`and s.id = ${given.id}`}
      ${given.status.length === 0 ? tag`` : tag`and s.status = any(${[...given.status]}::text[])`}
    ${listEnd(db, tag`s.id`, given.cut)}`;
}

/** Returns null if it doesn't exist, or was released before. */
export async function updateReleased(tx: Tx, tenant: Tenant, id: string): Promise<PauseRow | null> {
  pauseStates.check(["active"], "released");
  const [row] = await sql(tx)<PauseRow>`
    update messaging_pauses set status = 'released', released_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} and status = 'active'
    returning ${pauseColumns}`;
  return row ?? null;
}
