import { recordAudit } from "#identity/index.ts";
import { type Ctx, seal, type Tenant } from "#platform/index.ts";
import type { NewEndpoint } from "./create-endpoint.ts";
import { holdEndpoint } from "./find-endpoint.ts";
import { endpointPlace, makeSecret, promoted } from "./secrets.ts";
import { type EndpointRow, updateEndpoint } from "./sql.ts";

/**
 * Makes the next secret. It signs `webhook-signature` beside the current one at once; `X-Service-Signature`, which holds one value, changes when
 * the secret is promoted or after a day. A roll that was still open is promoted first.
 */
export async function rollSecret(ctx: Ctx, tenant: Tenant, id: string): Promise<NewEndpoint> {
  const secret = makeSecret();
  const endpoint = await ctx.transact(async (tx) => {
    const held = await holdEndpoint(tx, ctx, { tenant, id });
    const row = held.next_secret === null ? held : { ...held, ...promoted(held, ctx.now()) };
    const next = { next_secret: seal(ctx.masterKeys, endpointPlace(id), secret), next_secret_last4: secret.slice(-4), rolled_at: ctx.now() };
    const updated = await updateEndpoint(tx, { ...row, ...next }, ctx.now());
    await recordAudit(tx, { ctx, tenant, action: "webhook.secret_rolled", object_type: "webhook", object_id: id, detail: { last4: secret.slice(-4) } });
    return updated;
  });
  return { endpoint, secret: ctx.claim?.replayed === true ? null : secret };
}

/** Lets the next secret take over `X-Service-Signature`. Without an open roll nothing changes. */
export function promoteSecret(ctx: Ctx, tenant: Tenant, id: string): Promise<EndpointRow> {
  return ctx.transact(async (tx) => {
    const row = await holdEndpoint(tx, ctx, { tenant, id });
    if (row.next_secret === null) return row;
    const updated = await updateEndpoint(tx, { ...row, ...promoted(row, ctx.now()) }, ctx.now());
    await recordAudit(tx, { ctx, tenant, action: "webhook.secret_promoted", object_type: "webhook", object_id: id, detail: { last4: updated.secret_last4 } });
    return updated;
  });
}
