import { type CallbackEffect, callGateway, GatewayError, openAccount, type PaymentSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, idPattern, type Tenant } from "#platform/index.ts";
import { countPaymentsElsewhere } from "../rows/gateway-payments.sql.ts";
import { settle } from "../settle/settle.ts";

const ownReference = new RegExp(idPattern("ps"));

/** A reference of our making that no payment of this installation has, besides the project's own; null where it is another program's, or another project's. */
export async function lostReference(ctx: Pick<Ctx, "db">, tenant: Tenant, reference: string | null): Promise<string | null> {
  if (reference === null || !ownReference.test(reference)) return null;
  return (await countPaymentsElsewhere(ctx.db, tenant, reference)) === 0 ? reference : null;
}

/**
 * Money with a reference of our making that no payment here has, such as one of a database that was restored: the provider is asked, and what is there waits for a
 * person. An account may serve other programs too, and other projects of this one, so that anything else is none of ours.
 */
export async function takeStrangeMoney(
  ctx: Ctx,
  account: Tenant & { gateway: string; credential_id: string },
  about: Pick<PaymentSnapshot, "reference" | "providerId">,
): Promise<CallbackEffect> {
  const { providerId } = about;
  const reference = await lostReference(ctx, account, about.reference);
  if (reference === null) return "not_ours";
  const { project_id, livemode, gateway } = account;
  const opened = await openAccount(ctx, account, account.credential_id);
  const key = { reference, providerId };
  const snapshot = await callGateway(ctx, { opened, verb: "query", reference }, (there, call) => there.query(call, key)).catch(unknownThere);
  if (snapshot === null || snapshot.state !== "succeeded" || snapshot.paid === null || snapshot.reference !== reference) return "not_ours";
  if (snapshot.livemode !== null && snapshot.livemode !== livemode) return "not_ours";
  const { paid } = snapshot;
  const external_id = snapshot.captureId ?? snapshot.providerId ?? reference;
  await ctx.transactUnclaimed(async (tx) => {
    const timed = await atNow(ctx, tx);
    const occurred_at = snapshot.paidAt ?? timed.now();
    const money = { order_id: null, session_id: null, gateway, external_id, ...paid, source: "callback" as const, occurred_at };
    return settle(tx, timed, { tenant: { project_id, livemode }, money });
  });
  return "applied";
}

function unknownThere(error: unknown): null {
  if (error instanceof GatewayError && error.kind === "not_found") return null;
  throw error;
}
