import type { Ctx, Tenant } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { listRecentAttempts } from "../call/attempts.sql.ts";
import { openAccount } from "../call/open-account.ts";
import { findNewestCallback, findNewestStray } from "../callback/strays.sql.ts";
import { gatewayErrors } from "../errors.ts";
import { GatewayError } from "../gateway-error.ts";
import { presentCredential } from "../rows/show-credential.ts";
import { findCredentialRow } from "../rows/sql.ts";
import { assessSetup } from "./assess-setup.ts";
import type { Setup } from "./shapes.ts";

const attemptsRead = 100;

/**
 * Returns the state of an account's setup and its problems, based on its calls and callbacks so far, without querying the provider. Throws
 * gateway_not_found and resource_missing.
 */
export async function findSetup(ctx: Ctx, tenant: Tenant, { gateway, id }: { gateway: string; id: string }): Promise<Setup> {
  const adapter = ctx.gateways.find(gateway);
  if (adapter === null) throw gatewayErrors.gateway_not_found({ param: "slug" });
  const credential = presentCredential(await findCredentialRow(ctx.db, tenant, id), gateway);
  const [isCheckable, project, attempts, received, refused] = await Promise.all([
    hasCheck(ctx, tenant, id),
    findProject(ctx.db, tenant.project_id),
    listRecentAttempts(ctx.db, tenant, { credential_id: id, limit: attemptsRead }),
    findNewestCallback(ctx.db, tenant, id),
    findNewestStray(ctx.db, id),
  ]);
  const currency = project?.default_currency ?? "";
  return assessSetup({
    credential,
    manifest: adapter.manifest,
    isCheckable,
    publicUrl: ctx.publicUrl,
    currency,
    attempts,
    received,
    refused,
  });
}

/** Fields that the gateway no longer accepts are reported by the account's status. */
async function hasCheck(ctx: Ctx, tenant: Tenant, id: string): Promise<boolean> {
  try {
    return (await openAccount(ctx, tenant, id)).account.check !== null;
  } catch (error) {
    if (error instanceof GatewayError) return true;
    throw error;
  }
}
