import {
  callGateway,
  type GatewayCall,
  GatewayError,
  type OpenAccount,
  openAccount,
  type PaymentSnapshot,
  type StoredCallback,
} from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { applyDisputes } from "../dispute/apply-dispute.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import type { GatewayPaymentRow, SessionRow } from "../shapes.ts";
import { type Applied, applySnapshot } from "./apply-snapshot.ts";
import { isEarlierId, mayTake } from "./interpret-snapshot.ts";

/** A refund or a dispute waits this many attempts for the report that its payment was paid; then it is stored without it. */
export const patientTries = 3;

/** Compares an account with what its provider reports. */
export function accountName({ account, credential }: OpenAccount): string | null {
  return account.id ?? credential.account;
}

/**
 * Asks the provider about a payment, captures an approved one that waits for it, and stores the result. `named`: the id under which the
 * provider reported it; if the payment had that id earlier, it's asked about that one. Throws GatewayError if the provider doesn't respond.
 */
export async function pollPayment(ctx: Ctx, payment: GatewayPaymentRow, named: string | null = null): Promise<Applied> {
  const opened = await openAccount(ctx, payment, payment.credential_id);
  const isEarlier = isEarlierId(payment, named);
  const key = isEarlier ? { ...keyOf(payment, null), providerId: named } : keyOf(payment, null);
  const polled = await callGateway(ctx, { opened, verb: "query", reference: payment.payment_session_id }, (account, call) =>
    account.query(call, key),
  );
  const { session, snapshot } = await takeApproved(ctx, { opened, payment, snapshot: polled });
  // What became of the earlier one says nothing about the present one, unless it was paid.
  if (isEarlier && (snapshot.paid?.amount_minor ?? 0) === 0) return "ignored";
  const applied = await applySnapshot(ctx, { session, account: accountName(opened), snapshot });
  // If the money isn't this payment's, its disputes aren't ours either.
  if (applied !== "mismatch" && applied !== "ignored") await applyDisputes(ctx, payment, snapshot.disputes);
  return applied;
}

/**
 * Returns the payment that a callback's refund or dispute is about, as it is now. If it isn't known to be paid, the provider is asked,
 * because callbacks arrive in any order. Throws GatewayError for a callback to retry.
 */
export async function settleFirst(ctx: Ctx, { attempts }: StoredCallback, payment: GatewayPaymentRow): Promise<GatewayPaymentRow> {
  if (payment.settled_id !== null) return payment;
  await pollPayment(ctx, payment).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || attempts < patientTries) throw error;
  });
  return (await findGatewayPayment(ctx.db, payment, payment.payment_session_id)) ?? payment;
}

/** An approved payment is only captured while its order waits for it; one that is never captured returns to the buyer automatically. */
export async function takeApproved(
  ctx: Ctx,
  given: { opened: OpenAccount; payment: GatewayPaymentRow; snapshot: PaymentSnapshot },
): Promise<{ session: SessionRow; snapshot: PaymentSnapshot }> {
  const { opened, payment, snapshot } = given;
  const session = await findSession(ctx.db, payment, payment.payment_session_id);
  if (session === null) throw new Error("a payment's session vanished");
  const { capture } = opened.account;
  if (capture === null || !mayTake({ session, payment, account: accountName(opened), snapshot })) return { session, snapshot };
  const order = await findOrderRow(ctx.db, payment, payment.order_id);
  const isWanted = order?.status === "unpaid" && (session.status === "pending" || session.status === "processing");
  if (!isWanted) return { session, snapshot };
  const take = (call: GatewayCall) => capture.call(opened.account, call, keyOf(payment, snapshot));
  const taken = await callGateway(ctx, { opened, verb: "capture", reference: payment.payment_session_id }, (_account, call) =>
    take(call),
  ).catch(unlessRefused);
  return { session, snapshot: taken ?? snapshot };
}

/** A provider that refuses to capture gives the reason when it is asked again. */
function unlessRefused(error: unknown): null {
  if (error instanceof GatewayError && error.kind !== "unknown_outcome" && error.kind !== "unavailable") return null;
  throw error;
}

/** The payment's reference for its provider. */
export function keyOf(payment: GatewayPaymentRow, reported: PaymentSnapshot | null): { reference: string; providerId: string | null } {
  return { reference: payment.payment_session_id, providerId: reported?.providerId ?? payment.provider_id };
}

/**
 * Makes a payment unpayable at its provider. `closed`: it can't be paid any more, or the provider can't close payments and later money is a
 * late payment. `unopened`: the buyer hasn't opened it, but could still pay it until its end. `paid`: it was paid, which is stored.
 * `underway`: it is being paid, or the provider refused to close it and doesn't report its end yet. Throws GatewayError if the outcome is
 * unknown; of kind `auth` only if the provider refused the account's keys before it said anything about the payment.
 */
export async function closePayment(ctx: Ctx, payment: GatewayPaymentRow): Promise<"closed" | "unopened" | "paid" | "underway"> {
  const opened = await openAccount(ctx, payment, payment.credential_id);
  const { close } = opened.account;
  if (close !== null) {
    const closing = (call: GatewayCall) => close.call(opened.account, call, keyOf(payment, null));
    const outcome = await callGateway(ctx, { opened, verb: "close", reference: payment.payment_session_id }, (_account, call) =>
      closing(call),
    ).catch(notOpen);
    if (outcome === "unopened") return "unopened";
    if (outcome !== "already_paid") return "closed";
  }
  const applied = await pollPayment(ctx, payment).catch((error: unknown) => notOpen(close === null ? error : asUnknown(error)));
  if (applied === "settled" || applied === "mismatch") return "paid";
  if (applied === "ended") return "closed";
  // A provider that refuses to close a payment has got something for it, even if its query doesn't show that yet.
  return close === null && (applied === "pending" || applied === "absent") ? "closed" : "underway";
}

/** It got something for the payment: that it refuses the account's keys now doesn't say what. */
function asUnknown(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.kind !== "auth") return error;
  return new GatewayError("unknown_outcome", { code: error.code, message: error.message, requestId: error.requestId });
}

function notOpen(error: unknown): "absent" | "already_paid" {
  if (error instanceof GatewayError && error.kind === "not_found") return "absent";
  if (error instanceof GatewayError && error.kind === "already_paid") return "already_paid";
  throw error;
}
