import { type Ctx, findNow, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { webhookErrors } from "../errors.ts";
import { settleRoll } from "./secrets.ts";
import { type EndpointRow, findEndpointRow, listEndpointRows, lockEndpoint } from "./sql.ts";

/** One endpoint, its secret promoted if due. Throws resource_missing, or endpoint_removed if it was deleted. */
export async function findEndpoint(ctx: Ctx, tenant: Tenant, id: string): Promise<EndpointRow> {
  const [row, now] = await Promise.all([findEndpointRow(ctx.db, tenant, id), findNow(ctx.db)]);
  return settleRoll(present(row), now);
}

/** The endpoints of one project and environment, newest first: at most sixteen. */
export async function listEndpoints(ctx: Ctx, tenant: Tenant): Promise<EndpointRow[]> {
  const [rows, now] = await Promise.all([listEndpointRows(ctx.db, tenant), findNow(ctx.db)]);
  return rows.map((row) => settleRoll(row, now));
}

/** Like `findEndpoint`, locked for an update. With `ifVersion`, throws version_conflict if it was changed concurrently. */
export async function holdEndpoint(tx: Tx, given: { tenant: Tenant; id: string; ifVersion?: number | null }): Promise<EndpointRow> {
  const found = await lockEndpoint(tx, given.tenant, given.id);
  const now = await findNow(tx);
  const row = present(found);
  if (given.ifVersion !== undefined && given.ifVersion !== null && given.ifVersion !== row.version)
    throw platformErrors.version_conflict({ fields: { version: row.version } });
  return settleRoll(row, now);
}

function present(row: EndpointRow | null): EndpointRow {
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  if (row.removed_at !== null) throw webhookErrors.endpoint_removed({ param: "id" });
  return row;
}
