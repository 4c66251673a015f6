import { apiVersion, type NumberedEvent } from "#events/index.ts";
import { type Ctx, seal, type Tenant, type Tx } from "#platform/index.ts";
import { callbackPlace, makeSecret } from "../endpoint/secrets.ts";
import { insertCallbackDeliveries, insertCallbackSecrets, insertReceivers } from "./sql.ts";

/**
 * Creates callback deliveries for events whose objects named a URL. All URLs of one origin share a receiver, so that a failing host has one
 * circuit breaker, however many messages name it. The project's first callback creates its signing secret.
 */
export async function oweCallbacks(tx: Tx, ctx: Ctx, events: NumberedEvent[]): Promise<number> {
  const owed = events.flatMap((event) => {
    const origin = event.callback_url === null ? undefined : URL.parse(event.callback_url)?.origin;
    return origin === undefined ? [] : [{ event, origin }];
  });
  if (owed.length === 0) return 0;
  const tenants = distinct(owed.map(({ event }) => event));
  const origins = new Map(owed.map(({ event, origin }) => [`${keyOf(event)} ${origin}`, { event, origin }]));
  const receivers = [...origins].sort(inOrder).map(([, { event, origin }]) => ({ ...tenantOf(event), id: ctx.id("we"), origin }));
  await insertReceivers(tx, receivers, { api_version: apiVersion });
  await insertCallbackSecrets(
    tx,
    tenants.map((tenant) => ({ ...tenant, ...sealedSecret(ctx, tenant) })),
  );
  return insertCallbackDeliveries(tx, owed);
}

/** A new callback secret for a project, as stored. */
export function sealedSecret(ctx: Ctx, tenant: Tenant): { secret: string; secret_last4: string } {
  const secret = makeSecret();
  return { secret: seal(ctx.masterKeys, callbackPlace(tenant), secret), secret_last4: secret.slice(-4) };
}

function distinct(tenants: Tenant[]): Tenant[] {
  return [...new Map(tenants.map((tenant) => [keyOf(tenant), tenantOf(tenant)]))].sort(inOrder).map(([, tenant]) => tenant);
}

function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}

function keyOf({ project_id, livemode }: Tenant): string {
  return `${project_id} ${livemode}`;
}

/** A fixed order, so that two transactions never deadlock. */
function inOrder([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
