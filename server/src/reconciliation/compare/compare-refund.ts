import type { RefundSnapshot, SettledLine } from "#gateways/index.ts";
import { findAtProvider, findGatewayPayment, recordStranger, updateRefundNamed } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { askAboutLine } from "./ask-about-line.ts";
import type { Compared, Fit, Known } from "./fit.ts";
import { reportDifference } from "./report-difference.ts";
import { listNamedRefunds, type NamedPayment, type NamedRefund } from "./sql.ts";

/** Compares a refund on a provider's list with ours: those that were requested, and those that a person made there and recorded. */
export async function compareRefund(ctx: Ctx, account: Compared, { line, known }: { line: SettledLine; known: Known }): Promise<Fit> {
  const refund = known.refunds.find(
    ({ id, gateway_refund_id }) => id === line.reference || (gateway_refund_id !== null && gateway_refund_id === line.providerId),
  );
  if (refund !== undefined) return compareKnown(ctx, account, { line, refund });
  const { captureId } = line;
  const payment =
    captureId === null
      ? undefined
      : known.payments.find(({ capture_id, provider_id }) => capture_id === captureId || provider_id === captureId);
  return payment === undefined ? { kind: "other" } : compareUnknown(ctx, account, { line, payment });
}

async function compareKnown(ctx: Ctx, account: Compared, { line, refund }: { line: SettledLine; refund: NamedRefund }): Promise<Fit> {
  const { id, order_id, payment_session_id, status, amount_minor, currency } = refund;
  const about = { order_id, payment_session_id, external_id: line.providerId ?? id, ...line.amount, kind: "mismatch" } as const;
  const more = { refund_id: id, booked_minor: amount_minor, booked_currency: currency };
  if (status === "failed") {
    // A list contains what was paid out, also if it came back.
    if ((await stateOf(ctx, account, { line, sessionId: payment_session_id, reference: id })) === "failed")
      return { kind: "fits", refund: id };
    await reportDifference(ctx, account, { ...about, key: `refund_failed:${id}`, reason: "listed_refund_failed", more });
    return { kind: "differs" };
  }
  if (line.amount.amount_minor === amount_minor && line.amount.currency === currency) return { kind: "fits", refund: id };
  await reportDifference(ctx, account, { ...about, key: `refund_amount:${id}`, reason: "listed_refund_amount", more });
  return { kind: "differs" };
}

interface Listed {
  line: SettledLine;
  /** Its payment; null if it is of none. */
  sessionId: string | null;
  /** The reference that the provider may know it by. */
  reference: string | null;
}

/** A provider with one of these errors about a refund responds, and doesn't say what became of it. */
const refusals = ["invalid", "auth", "declined", "conflict"] as const;

/** A listed refund's current state at the provider; null if it doesn't say. Throws GatewayError while it may still respond. */
async function stateOf(ctx: Ctx, account: Compared, { line, sessionId, reference }: Listed): Promise<RefundSnapshot["state"] | null> {
  const payment = sessionId === null ? null : await findGatewayPayment(ctx.db, account, sessionId);
  if (payment === null) return null;
  const named = { refundReference: reference, providerRefundId: line.providerId };
  const found = await askAboutLine(ctx, account, { question: () => findAtProvider(ctx, payment, named), refusals });
  return found?.state ?? null;
}

/**
 * It wasn't requested here, so someone made it at the provider. If no one recorded it either, it is treated as a refund that the provider
 * reports itself, unless the money came back since. One that is still processing is shown to a person: no later list may contain it.
 */
async function compareUnknown(
  ctx: Ctx,
  account: Compared,
  { line, payment: named }: { line: SettledLine; payment: NamedPayment },
): Promise<Fit> {
  // A person may have entered either: WeChat Pay shows its own number and the merchant's.
  const numbers = [line.providerId, line.reference].filter((number) => number !== null);
  const [refundId] = numbers;
  if (refundId === undefined) return { kind: "other" };
  const { amount } = line;
  const match = { gateway: account.gateway, ...amount, refundId, numbers };
  const recorded = await ctx.transactUnclaimed((tx) => updateRefundNamed(tx, named, match));
  if (recorded !== null) return { kind: "fits", refund: recorded };
  const { payment_session_id: sessionId } = named;
  const state = await stateOf(ctx, account, { line, sessionId, reference: line.reference });
  if (state === "failed") return { kind: "fits" };
  const payment = await findGatewayPayment(ctx.db, account, sessionId);
  if (payment === null) throw new Error("a listed payment vanished");
  const snapshot = {
    refundReference: null,
    providerRefundId: refundId,
    state: line.isProcessing === true && state !== "succeeded" ? "pending" : "succeeded",
    amount,
    claimUrl: null,
    providerState: "listed",
    failure: null,
  } as const;
  const effect = await recordStranger(ctx, { payment, refund: snapshot });
  const [stored] = await listNamedRefunds(ctx.db, account, { references: [], ids: [refundId] });
  if (stored === undefined) return { kind: "differs" };
  return { kind: effect === "nothing" ? "fits" : "differs", refund: stored.id };
}
