import { type CallbackEffect, callGateway, GatewayError, openAccount, type PaymentSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, idPattern, type Tenant } from "#platform/index.ts";
import { countPaymentsOfReference } from "../../rows/find-gateway-payments.sql.ts";
import { settle } from "../../settle/settle.ts";

const ownReference = new RegExp(idPattern("ps"));

/**
 * One of our references without a payment in this installation; null if it belongs to another program, another project, or another account
 * of the project.
 */
export async function lostReference(ctx: Pick<Ctx, "db">, reference: string | null): Promise<string | null> {
  if (reference === null || !ownReference.test(reference)) return null;
  return (await countPaymentsOfReference(ctx.db, reference)) === 0 ? reference : null;
}

/**
 * Money with one of our references but without a payment here, for example after a database was restored: the provider is asked, and the
 * money waits for a person. An account may also serve other programs and other projects of this installation, so any other money isn't
 * ours.
 */
export async function takeStrangeMoney(
  ctx: Ctx,
  account: Tenant & { gateway: string; credential_id: string },
  about: Pick<PaymentSnapshot, "reference" | "providerId">,
): Promise<CallbackEffect> {
  const { providerId } = about;
  const reference = await lostReference(ctx, about.reference);
  if (reference === null) return "not_ours";
  const { project_id, livemode, gateway } = account;
  const opened = await openAccount(ctx, account, account.credential_id);
  const key = { reference, providerId };
  const snapshot = await callGateway(ctx, { opened, verb: "query", reference }, (there, call) => there.query(call, key)).catch(
    unknownThere,
  );
  if (snapshot === null || snapshot.state !== "succeeded" || snapshot.paid === null || snapshot.reference !== reference) return "not_ours";
  if (snapshot.livemode !== null && snapshot.livemode !== livemode) return "not_ours";
  const { paid } = snapshot;
  const external_id = snapshot.captureId ?? snapshot.providerId ?? reference;
  await ctx.transactUnclaimed(async (tx) => {
    const pinned = await atNow(ctx, tx);
    const occurred_at = snapshot.paidAt ?? pinned.now();
    const money = { order_id: null, session_id: null, gateway, external_id, ...paid, source: "callback" as const, occurred_at };
    return settle(tx, pinned, { tenant: { project_id, livemode }, money });
  });
  return "applied";
}

function unknownThere(error: unknown): null {
  if (error instanceof GatewayError && error.kind === "not_found") return null;
  throw error;
}
