import type { Ctx, Tenant } from "#platform/index.ts";
import { findNow } from "#platform/index.ts";
import { callbackPlace, openSecrets } from "../endpoint/secrets.ts";
import { signHeaders } from "../signature/sign.ts";
import { sealedSecret } from "./owe-callbacks.ts";
import { insertCallbackSecrets, listCallbackSecrets } from "./sql.ts";

/** Signed headers for a request to a URL that an object named and whose response matters. `id` identifies the request. */
export async function signCallback(ctx: Ctx, tenant: Tenant, given: { id: string; body: Uint8Array }): Promise<Record<string, string>> {
  const row = (await find(ctx, tenant)) ?? (await make(ctx, tenant));
  const at = await findNow(ctx.db);
  return signHeaders(openSecrets(ctx.masterKeys, { place: callbackPlace(row), row, now: at }), {
    event_id: given.id,
    at,
    body: given.body,
  });
}

async function find(ctx: Ctx, { project_id, livemode }: Tenant) {
  const [row] = await listCallbackSecrets(ctx.db, [{ project_id, livemode }]);
  return row ?? null;
}

/** The project's first callback creates the secret. */
async function make(ctx: Ctx, { project_id, livemode }: Tenant) {
  const tenant = { project_id, livemode };
  await ctx.transact((tx) => insertCallbackSecrets(tx, [{ ...tenant, ...sealedSecret(ctx, tenant) }]));
  const row = await find(ctx, tenant);
  if (row === null) throw new Error("the secret of a project's callbacks vanished");
  return row;
}
