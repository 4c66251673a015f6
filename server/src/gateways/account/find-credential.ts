import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { gatewayErrors } from "../errors.ts";
import type { GatewayAdapter } from "../port.ts";
import { presentCredential, showCredential } from "../rows/show-credential.ts";
import {
  type AccountCount,
  type Credential,
  type CredentialRow,
  findCredentialRow,
  listAccountCounts,
  listCredentialRows,
  lockCredential,
} from "../rows/sql.ts";

/** Which account of which gateway. */
export interface CredentialKey {
  gateway: string;
  id: string;
}

/** One account. Throws gateway_not_found, and resource_missing also for an account that was removed. */
export async function findCredential(ctx: Ctx, tenant: Tenant, { gateway, id }: CredentialKey): Promise<Credential> {
  findAdapter(ctx, gateway);
  return showCredential(presentCredential(await findCredentialRow(ctx.db, tenant, id), gateway));
}

/** The accounts of a gateway, in the order in which payments go to them. */
export async function listCredentials(ctx: Ctx, tenant: Tenant, gateway: string): Promise<Credential[]> {
  findAdapter(ctx, gateway);
  return (await listCredentialRows(ctx.db, tenant, gateway)).map(showCredential);
}

/** How many accounts each gateway has in a project and environment, and how many may take payments. Gateways without one are not listed. */
export function countAccounts(db: Ctx["db"], tenant: Tenant): Promise<AccountCount[]> {
  return listAccountCounts(db, tenant);
}

/** Throws gateway_not_found for a name that is no provider's. */
export function findAdapter(ctx: Pick<Ctx, "gateways">, gateway: string): GatewayAdapter {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null) throw gatewayErrors.gateway_not_found({ param: "slug" });
  return adapter;
}

/** An account held for a change. Throws resource_missing, and version_conflict when somebody else changed it meanwhile. */
export async function holdCredential(tx: Tx, tenant: Tenant, given: CredentialKey & { if_version: number | null }): Promise<CredentialRow> {
  const row = presentCredential(await lockCredential(tx, tenant, given.id), given.gateway);
  if (given.if_version !== null && given.if_version !== row.version) throw platformErrors.version_conflict({ fields: { version: row.version } });
  return row;
}

/** As it stands after a change. */
export async function shownAfter(tx: Tx, tenant: Tenant, { gateway, id }: CredentialKey): Promise<Credential> {
  return showCredential(presentCredential(await findCredentialRow(tx, tenant, id), gateway));
}
