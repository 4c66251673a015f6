import { type Ctx, gatherLists, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { listLastSuccesses } from "../call/attempts.sql.ts";
import { gatewayErrors } from "../errors.ts";
import type { GatewayAdapter } from "../port.ts";
import { presentCredential, showCredential } from "../rows/show-credential.ts";
import {
  type Credential,
  type CredentialRow,
  findCredentialRow,
  listAccountCounts,
  listCredentialRows,
  lockCredential,
} from "../rows/sql.ts";

/** A gateway and one of its accounts. */
export interface CredentialKey {
  gateway: string;
  id: string;
}

/** An account with its state. */
export interface FaringCredential extends Credential {
  /** When its provider last returned a success. Absent in responses that an earlier version stored. */
  last_success_at?: Date | null;
}

/** One account. Throws gateway_not_found, and resource_missing, also for a removed account. */
export async function findCredential(ctx: Ctx, tenant: Tenant, key: CredentialKey): Promise<FaringCredential> {
  findAdapter(ctx, key.gateway);
  return shownAfter(ctx.db, tenant, key);
}

/** The accounts of a gateway, in the order of their payments. */
export async function listCredentials(ctx: Ctx, tenant: Tenant, gateway: string): Promise<FaringCredential[]> {
  findAdapter(ctx, gateway);
  return withSuccesses(ctx.db, tenant, (await listCredentialRows(ctx.db, tenant, gateway)).map(showCredential));
}

async function withSuccesses(db: Ctx["db"], tenant: Tenant, credentials: Credential[]): Promise<FaringCredential[]> {
  const ids = credentials.map(({ id }) => id);
  const successes = new Map((await listLastSuccesses(db, tenant, ids)).map(({ id, at }) => [id, at]));
  return credentials.map((credential) => ({ ...credential, last_success_at: successes.get(credential.id) ?? null }));
}

/**
 * How many accounts each gateway has in a project and environment, and how many can take payments. Gateways without one are omitted.
 * Concurrent reads share a statement.
 */
export const countAccounts = gatherLists(listAccountCounts);

/** Throws gateway_not_found for an unknown name. */
export function findAdapter(ctx: Pick<Ctx, "gateways">, gateway: string): GatewayAdapter {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null) throw gatewayErrors.gateway_not_found({ param: "slug" });
  return adapter;
}

/** An account locked for a change. Throws resource_missing, and version_conflict if someone else changed it in the meantime. */
export async function holdCredential(tx: Tx, tenant: Tenant, given: CredentialKey & { if_version: number | null }): Promise<CredentialRow> {
  const row = presentCredential(await lockCredential(tx, tenant, given.id), given.gateway);
  if (given.if_version !== null && given.if_version !== row.version)
    throw platformErrors.version_conflict({ fields: { version: row.version } });
  return row;
}

/** The current state, also after a change. */
export async function shownAfter(db: Ctx["db"], tenant: Tenant, { gateway, id }: CredentialKey): Promise<FaringCredential> {
  const credential = showCredential(presentCredential(await findCredentialRow(db, tenant, id), gateway));
  const [shown = credential] = await withSuccesses(db, tenant, [credential]);
  return shown;
}
