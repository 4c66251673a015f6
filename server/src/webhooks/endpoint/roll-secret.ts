import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, seal, type Tenant } from "#platform/index.ts";
import type { NewEndpoint } from "./create-endpoint.ts";
import { holdEndpoint } from "./find-endpoint.ts";
import { beginRoll, endpointPlace, endRoll, makeSecret } from "./secrets.ts";
import { type EndpointRow, updateEndpoint } from "./sql.ts";

export interface Roll {
  id: string;
  /** The previous secret stops signing immediately. */
  expire_old_now?: boolean;
}

/**
 * Creates the next secret. It signs `webhook-signature` along with the current one from now on; `X-Service-Signature`, which holds one
 * value, changes when the secret is promoted or after a day. Throws secret_roll_conflict during a roll: a second one would change that
 * header unasked.
 */
export async function rollSecret(ctx: Ctx, tenant: Tenant, { id, expire_old_now = false }: Roll): Promise<NewEndpoint> {
  const secret = makeSecret();
  const endpoint = await ctx.transact(async (tx) => {
    const held = await holdEndpoint(tx, { tenant, id });
    const next = { sealed: seal(ctx.masterKeys, endpointPlace(id), secret), last4: secret.slice(-4) };
    const updated = await updateEndpoint(tx, beginRoll(held, next, { now: await findNow(tx), expireOldNow: expire_old_now }));
    const detail = { last4: next.last4, expire_old_now };
    await recordAudit(tx, { ctx, tenant, action: "webhook.secret_rolled", object_type: "webhook", object_id: id, detail });
    return updated;
  });
  return { endpoint, secret: ctx.claim?.replayed === true ? null : secret };
}

/** Promotes the next secret to `X-Service-Signature`. Throws secret_roll_conflict if no roll is open, or an earlier secret still signs. */
export function promoteSecret(ctx: Ctx, tenant: Tenant, { id, expire_old_now = false }: Roll): Promise<EndpointRow> {
  return ctx.transact(async (tx) => {
    const held = await holdEndpoint(tx, { tenant, id });
    const updated = await updateEndpoint(tx, endRoll(held, { now: await findNow(tx), expireOldNow: expire_old_now }));
    const detail = { last4: updated.secret_last4, expire_old_now };
    await recordAudit(tx, { ctx, tenant, action: "webhook.secret_promoted", object_type: "webhook", object_id: id, detail });
    return updated;
  });
}
