import { recordAudit } from "#identity/index.ts";
import { type Ctx, seal, type Tenant, type Tx } from "#platform/index.ts";
import { callbackPlace, makeSecret, promoted, settleRoll } from "../endpoint/secrets.ts";
import { type CallbackSecretRow, insertCallbackSecrets, listCallbackSecrets, lockCallbackSecret, updateCallbackSecret } from "./sql.ts";

/** The secret of a project's callbacks as its owner sees it; `secret` is the one that was just made. */
export interface CallbackSecret extends Tenant {
  secret: string | null;
  secret_last4: string | null;
  next_secret_last4: string | null;
  rolled_at: Date | null;
  created_at: Date | null;
}

/** What signs a project's callbacks, without the secret itself. Before the first callback and the first roll there is none. */
export async function findCallbackSecret(ctx: Ctx, tenant: Tenant): Promise<CallbackSecret> {
  const [row] = await listCallbackSecrets(ctx.db, [tenant]);
  return row === undefined ? none(tenant) : shown(settleRoll(row, ctx.now()));
}

/**
 * Makes the next secret, shown this once. It signs beside the current one at once, and takes over `X-Service-Signature` when it is promoted or
 * after a day. Where there was none, it is the current one from the start.
 */
export async function rollCallbackSecret(ctx: Ctx, tenant: Tenant): Promise<CallbackSecret> {
  const secret = makeSecret();
  const result = await ctx.transact(async (tx) => {
    const held = await lockCallbackSecret(tx, tenant);
    const row = held === null ? await makeFirst(tx, ctx, { tenant, secret }) : await rollHeld(tx, ctx, { held, secret });
    await audit(tx, ctx, { tenant, action: "callback_secret.rolled", last4: secret.slice(-4) });
    return shown(row);
  });
  return { ...result, secret: ctx.claim?.replayed === true ? null : secret };
}

/** Lets the next secret take over `X-Service-Signature`. Without an open roll nothing changes. */
export function promoteCallbackSecret(ctx: Ctx, tenant: Tenant): Promise<CallbackSecret> {
  return ctx.transact(async (tx) => {
    const held = await lockCallbackSecret(tx, tenant);
    if (held === null) return none(tenant);
    const row = settleRoll(held, ctx.now());
    if (row.next_secret === null) return shown(row);
    const updated = await updateCallbackSecret(tx, { ...row, ...promoted(row, ctx.now()) }, ctx.now());
    await audit(tx, ctx, { tenant, action: "callback_secret.promoted", last4: updated.secret_last4 });
    return shown(updated);
  });
}

/** A callback that is fanned out in the same moment may have made one first: then this is a roll of that one. */
async function makeFirst(tx: Tx, ctx: Ctx, { tenant, secret }: { tenant: Tenant; secret: string }): Promise<CallbackSecretRow> {
  const { project_id, livemode } = tenant;
  const sealed = seal(ctx.masterKeys, callbackPlace(tenant), secret);
  await insertCallbackSecrets(tx, [{ project_id, livemode, secret: sealed, secret_last4: secret.slice(-4) }], ctx.now());
  const held = (await lockCallbackSecret(tx, tenant)) as CallbackSecretRow;
  return held.secret === sealed ? held : rollHeld(tx, ctx, { held, secret });
}

/** A roll that was still open is promoted first. */
function rollHeld(tx: Tx, ctx: Ctx, { held, secret }: { held: CallbackSecretRow; secret: string }): Promise<CallbackSecretRow> {
  const settled = settleRoll(held, ctx.now());
  const row = settled.next_secret === null ? settled : { ...settled, ...promoted(settled, ctx.now()) };
  const next_secret = seal(ctx.masterKeys, callbackPlace(held), secret);
  return updateCallbackSecret(tx, { ...row, next_secret, next_secret_last4: secret.slice(-4), rolled_at: ctx.now() }, ctx.now());
}

function audit(tx: Tx, ctx: Ctx, given: { tenant: Tenant; action: string; last4: string }): Promise<void> {
  const { tenant, action, last4 } = given;
  return recordAudit(tx, { ctx, tenant, action, object_type: "callback_secret", object_id: tenant.project_id, detail: { last4 } });
}

function shown({ project_id, livemode, secret_last4, next_secret_last4, rolled_at, created_at }: CallbackSecretRow): CallbackSecret {
  return { project_id, livemode, secret: null, secret_last4, next_secret_last4, rolled_at, created_at };
}

function none({ project_id, livemode }: Tenant): CallbackSecret {
  return { project_id, livemode, secret: null, secret_last4: null, next_secret_last4: null, rolled_at: null, created_at: null };
}
