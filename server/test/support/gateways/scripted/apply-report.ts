import { type CallbackReport, openAccount, type StoredCallback, takeCallback } from "#gateways/index.ts";
import { applyCallback } from "#orders/gateway/apply-callback.ts";
import { applySnapshot } from "#orders/gateway/apply-snapshot.ts";
import { accountName } from "#orders/gateway/poll-payment.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import type { Ctx } from "#platform/index.ts";
import type { settleModes } from "#test/support/payments/settle-money.ts";
import type { PayingGateway, SentCallback } from "./paying-gateway.ts";

/**
 * Stores a provider's report about a payment, as the callback route does, without applying it. `report`: what it says instead of the
 * payment's real state.
 */
export function storeReport(
  ctx: Ctx,
  given: { gateway: PayingGateway; account: string; reference: string; report?: CallbackReport },
): Promise<StoredCallback> {
  const { gateway, account, reference, report } = given;
  return storeSent(ctx, { account, sent: gateway.callback(reference, report === undefined ? {} : { report }) });
}

/** Like `storeReport`, for whatever a provider sends. */
export async function storeSent(ctx: Ctx, given: { account: string; sent: SentCallback }): Promise<StoredCallback> {
  const { headers, payload } = given.sent;
  const raw = { method: "POST", path: "/", headers, body: Buffer.from(payload), receivedAt: ctx.now() };
  const incoming = { gateway: "testpay", credentialId: given.account, raw, isAppliedNow: true };
  const { callback } = await takeCallback(ctx, { ...incoming, listPlaces: async () => [] });
  if (callback === null) throw new Error("the callback was not stored");
  return callback;
}

/**
 * Applies a stored callback of a payment: together with the others that wait, as callbacks are, or in a separate transaction, as responses
 * to queries are.
 */
export async function applyReport(
  ctx: Ctx,
  { callback, way }: { callback: StoredCallback; way: (typeof settleModes)[number] },
): Promise<unknown> {
  if (way === "together") return applyCallback(ctx, callback);
  const { told: report } = callback;
  const snapshot = report.kind === "payment" ? report.payment : null;
  const payment = await findGatewayPayment(ctx.db, callback, snapshot?.reference ?? "");
  if (snapshot === null || payment === null) throw new Error("the callback is about no payment");
  const account = accountName(await openAccount(ctx, payment, payment.credential_id));
  return applySnapshot(ctx, { session: { ...payment, id: payment.payment_session_id }, account, snapshot, callback });
}
