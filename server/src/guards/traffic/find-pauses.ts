import { recordAudit } from "#audit/index.ts";
import { type Ctx, type Page, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { notifyPause } from "./assess-ranges.ts";
import {
  findPauseRow,
  listAllPauseRows,
  listPauseRows,
  type PauseOverview,
  type PauseQuery,
  type PauseRow,
  updateReleased,
} from "./pauses.sql.ts";

/** A page of a project's pauses, newest first. Throws invalid_cursor. */
export function listPauses(ctx: Pick<Ctx, "db">, tenant: Tenant, query: PauseQuery): Promise<Page<PauseRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listPauseRows(ctx.db, tenant, { status: query.status, cut }),
    place: (id) => findPauseRow(ctx.db, tenant, id),
  });
}

/** A page of the pauses of all projects, newest first, for operators. Throws invalid_cursor. */
export function listAllPauses(ctx: Pick<Ctx, "db">, query: PauseQuery): Promise<Page<PauseOverview>> {
  return readPage(ctx.db, query, {
    find: (cut) => listAllPauseRows(ctx.db, { id: null, status: query.status, cut }),
    place: async (id) => (await listAllPauseRows(ctx.db, { id, status: [], cut: null }))[0] ?? null,
  });
}

/** One pause of any project. Throws resource_missing. */
export async function findPauseOverview(ctx: Pick<Ctx, "db">, id: string): Promise<PauseOverview> {
  const [row] = await listAllPauseRows(ctx.db, { id, status: [], cut: null });
  if (row === undefined) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/**
 * Lets a project's messages or calls reach a range again; it is ignored for a month. Repeating it changes and emits nothing. Throws
 * resource_missing.
 */
export function releasePause(ctx: Ctx, tenant: Tenant, id: string): Promise<PauseRow> {
  return ctx.transact(async (tx) => {
    const row = await updateReleased(tx, tenant, id);
    if (row === null) {
      const known = await findPauseRow(tx, tenant, id);
      if (known === null) throw platformErrors.resource_missing({ param: "id" });
      return known;
    }
    await notifyPause(tx, ctx, { row, event: "released" });
    const detail = { channel: row.channel, prefix: row.prefix, cause: row.cause };
    await recordAudit(tx, { ctx, tenant, action: "messaging_pause.released", object_type: "messaging_pause", object_id: id, detail });
    return row;
  });
}
