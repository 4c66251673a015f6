import { listEntriesOfAccount, type PaymentSnapshot, type StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findGatewayPaymentAt, findGatewayPaymentOfCapture } from "../../rows/find-gateway-payments.sql.ts";
import { findGatewayPayment } from "../../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../../shapes.ts";

type About = Pick<PaymentSnapshot, "reference" | "providerId">;

/** The payment that a callback is about: by our reference, or by the provider's id if the provider keeps none. */
export async function findReported(
  ctx: Ctx,
  callback: StoredCallback,
  { reference, providerId }: About,
): Promise<GatewayPaymentRow | null> {
  if (reference !== null) return findGatewayPayment(ctx.db, callback, reference);
  return providerId === null ? null : findByProviderId(ctx, callback, providerId);
}

export function findByProviderId(ctx: Ctx, callback: StoredCallback, providerId: string): Promise<GatewayPaymentRow | null> {
  return findOnAccount(ctx, callback, (credentialIds) => findGatewayPaymentAt(ctx.db, callback, { credentialIds, providerId }));
}

/** By the provider's id of its money. */
export function findByCapture(ctx: Ctx, callback: StoredCallback, captureId: string): Promise<GatewayPaymentRow | null> {
  return findOnAccount(ctx, callback, (credentialIds) => findGatewayPaymentOfCapture(ctx.db, callback, { credentialIds, captureId }));
}

/** The account may have been entered twice, and its provider tells every entry of all payments. */
async function findOnAccount(
  ctx: Ctx,
  callback: StoredCallback,
  find: (credentialIds: readonly string[]) => Promise<GatewayPaymentRow | null>,
): Promise<GatewayPaymentRow | null> {
  const { credential_id: own } = callback;
  return (await find([own])) ?? find(await listEntriesOfAccount(ctx.db, callback, own));
}
