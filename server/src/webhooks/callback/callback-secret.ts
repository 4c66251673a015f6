import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, seal, type Tenant, type Tx } from "#platform/index.ts";
import { beginRoll, callbackPlace, endRoll, makeSecret, settleRoll } from "../endpoint/secrets.ts";
import { webhookErrors } from "../errors.ts";
import { type CallbackSecretRow, insertCallbackSecrets, listCallbackSecrets, lockCallbackSecret, updateCallbackSecret } from "./sql.ts";

/** The callback secret of a project as its owner sees it; `secret` is the new value, shown only once. */
export interface CallbackSecret extends Tenant {
  secret: string | null;
  secret_last4: string | null;
  next_secret_last4: string | null;
  rolled_at: Date | null;
  previous_until: Date | null;
  created_at: Date | null;
}

/** The state of a project's callback secrets, without their values. Null before the first callback or roll. */
export async function findCallbackSecret(ctx: Ctx, tenant: Tenant): Promise<CallbackSecret> {
  const [[row], now] = await Promise.all([listCallbackSecrets(ctx.db, [tenant]), findNow(ctx.db)]);
  return row === undefined ? none(tenant) : shown(settleRoll(row, now));
}

/**
 * Creates the next secret and returns it, once. It signs along with the current one from now on, and replaces it in `X-Service-Signature`
 * when promoted or after a day. If the project had no secret, this one becomes current immediately. Throws secret_roll_conflict during a
 * roll.
 */
export async function rollCallbackSecret(
  ctx: Ctx,
  tenant: Tenant,
  { expire_old_now = false }: { expire_old_now?: boolean } = {},
): Promise<CallbackSecret> {
  const secret = makeSecret();
  const result = await ctx.transact(async (tx) => {
    const held = await lockCallbackSecret(tx, tenant);
    const row = held === null ? await makeFirst(tx, ctx, { tenant, secret }) : await rollHeld(tx, ctx, { held, secret, expire_old_now });
    await audit(tx, ctx, { tenant, action: "callback_secret.rolled", last4: secret.slice(-4) });
    return shown(row);
  });
  return { ...result, secret: ctx.claim?.replayed === true ? null : secret };
}

/** Promotes the next secret to `X-Service-Signature`. Throws secret_roll_conflict if no roll is open, or an earlier secret still signs. */
export function promoteCallbackSecret(
  ctx: Ctx,
  tenant: Tenant,
  { expire_old_now = false }: { expire_old_now?: boolean } = {},
): Promise<CallbackSecret> {
  return ctx.transact(async (tx) => {
    const held = await lockCallbackSecret(tx, tenant);
    if (held === null)
      throw webhookErrors.secret_roll_conflict({ message: "There's no callback secret yet. Roll it to create the first one." });
    const updated = await updateCallbackSecret(tx, endRoll(held, { now: await findNow(tx), expireOldNow: expire_old_now }));
    await audit(tx, ctx, { tenant, action: "callback_secret.promoted", last4: updated.secret_last4 });
    return shown(updated);
  });
}

/** A callback that is fanned out concurrently may have created the first secret; then this rolls it. */
async function makeFirst(tx: Tx, ctx: Ctx, { tenant, secret }: { tenant: Tenant; secret: string }): Promise<CallbackSecretRow> {
  const { project_id, livemode } = tenant;
  const sealed = seal(ctx.masterKeys, callbackPlace(tenant), secret);
  await insertCallbackSecrets(tx, [{ project_id, livemode, secret: sealed, secret_last4: secret.slice(-4) }]);
  const held = (await lockCallbackSecret(tx, tenant)) as CallbackSecretRow;
  return held.secret === sealed ? held : rollHeld(tx, ctx, { held, secret, expire_old_now: false });
}

async function rollHeld(
  tx: Tx,
  ctx: Ctx,
  { held, secret, expire_old_now }: { held: CallbackSecretRow; secret: string; expire_old_now: boolean },
) {
  const next = { sealed: seal(ctx.masterKeys, callbackPlace(held), secret), last4: secret.slice(-4) };
  return updateCallbackSecret(tx, beginRoll(held, next, { now: await findNow(tx), expireOldNow: expire_old_now }));
}

function audit(tx: Tx, ctx: Ctx, given: { tenant: Tenant; action: string; last4: string }): Promise<void> {
  const { tenant, action, last4 } = given;
  return recordAudit(tx, { ctx, tenant, action, object_type: "callback_secret", object_id: tenant.project_id, detail: { last4 } });
}

function shown({
  project_id,
  livemode,
  secret_last4,
  next_secret_last4,
  rolled_at,
  previous_until,
  created_at,
}: CallbackSecretRow): CallbackSecret {
  return { project_id, livemode, secret: null, secret_last4, next_secret_last4, rolled_at, previous_until, created_at };
}

function none({ project_id, livemode }: Tenant): CallbackSecret {
  return {
    project_id,
    livemode,
    secret: null,
    secret_last4: null,
    next_secret_last4: null,
    rolled_at: null,
    previous_until: null,
    created_at: null,
  };
}
