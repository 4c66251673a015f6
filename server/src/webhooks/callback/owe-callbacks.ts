import { apiVersion, type NumberedEvent } from "#events/index.ts";
import { type Ctx, seal, type Tenant, type Tx } from "#platform/index.ts";
import { callbackPlace, makeSecret } from "../endpoint/secrets.ts";
import { insertCallbackDeliveries, insertCallbackSecrets, insertReceivers } from "./sql.ts";

/**
 * Writes down what events owe to the addresses that their objects named. All addresses of one origin are one receiver, so that a host in trouble
 * has one breaker, however many messages name it. The project's first callback makes the secret that signs them.
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

/** A new secret for a project's callbacks, as its row keeps it. */
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

/** The same everywhere, so that two transactions never wait for each other in a circle. */
function inOrder([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
