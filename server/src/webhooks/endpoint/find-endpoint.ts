import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { webhookErrors } from "../errors.ts";
import { settleRoll } from "./secrets.ts";
import { type EndpointRow, findEndpointRow, listEndpointRows, lockEndpoint } from "./sql.ts";

/** One endpoint, its roll carried out when due. Throws resource_missing, or endpoint_removed for one that was deleted. */
export async function findEndpoint(ctx: Ctx, tenant: Tenant, id: string): Promise<EndpointRow> {
  return settleRoll(present(await findEndpointRow(ctx.db, tenant, id)), ctx.now());
}

/** The endpoints of one project and environment, newest first: never more than sixteen. */
export async function listEndpoints(ctx: Ctx, tenant: Tenant): Promise<EndpointRow[]> {
  return (await listEndpointRows(ctx.db, tenant)).map((row) => settleRoll(row, ctx.now()));
}

/** As `findEndpoint`, held for a change. With `ifVersion`, throws version_conflict when somebody else changed it meanwhile. */
export async function holdEndpoint(tx: Tx, ctx: Ctx, given: { tenant: Tenant; id: string; ifVersion?: number | null }): Promise<EndpointRow> {
  const row = present(await lockEndpoint(tx, given.tenant, given.id));
  if (given.ifVersion !== undefined && given.ifVersion !== null && given.ifVersion !== row.version)
    throw platformErrors.version_conflict({ fields: { version: row.version } });
  return settleRoll(row, ctx.now());
}

function present(row: EndpointRow | null): EndpointRow {
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  if (row.removed_at !== null) throw webhookErrors.endpoint_removed({ param: "id" });
  return row;
}
