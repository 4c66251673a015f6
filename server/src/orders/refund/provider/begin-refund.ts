import { recordAudit } from "#audit/index.ts";
import type { GatewayAdapter, GatewayAmount } from "#gateways/index.ts";
import { type Ctx, currencyExponent, type Db, decimalOf, findNow, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../../errors.ts";
import { dayMs, firstPollMs, longestCallMs } from "../../polling/calendar.ts";
import { listDisputesOfPayment } from "../../rows/disputes.sql.ts";
import { findRefundOfRequest, insertGatewayRefund } from "../../rows/gateway-refunds.sql.ts";
import { insertRefund } from "../../rows/refunds.sql.ts";
import type { GatewayPaymentRow, GatewayRefundRow, RefundRow } from "../../shapes.ts";
import type { ManualDetails } from "../booking/manual-details.ts";
import { newRefund, type RefundOf } from "../booking/record-refund.ts";

/** No second process asks at the same time. */
export const requestLeaseMs = longestCallMs;

/**
 * The caller that requests a refund: its key identifies the request, so that a repeat finds its refund, and the lease under which the
 * provider is called.
 */
export interface Requester {
  requestKey: string | null;
  lease: string;
}

interface NewRequest {
  tenant: Tenant;
  of: RefundOf;
  payment: GatewayPaymentRow;
  details: Pick<ManualDetails, "reason" | "note">;
  requester: Requester;
}

/** The refund that an earlier attempt of the same request stored; final only while the order or exception is locked. */
export async function findRequested(
  db: Db,
  tenant: Tenant,
  { requestKey }: Pick<Requester, "requestKey">,
): Promise<GatewayRefundRow | null> {
  return requestKey === null ? null : findRefundOfRequest(db, tenant, requestKey);
}

/** Stores a refund that is about to be requested from its provider, leased by the caller. The order or exception is locked. */
export async function writeRequest(tx: Tx, pinned: Ctx, given: NewRequest): Promise<GatewayRefundRow> {
  const { tenant, of, payment, details, requester } = given;
  const id = pinned.id("rf");
  const row = newRefund(pinned, { tenant, id, of: { ...of, payment_session_id: payment.payment_session_id } });
  const refund = await insertRefund(tx, { ...row, reason: details.reason ?? null, note: details.note ?? null });
  const { payment_session_id, gateway, credential_id } = payment;
  const { project_id, livemode } = tenant;
  const question = { project_id, livemode, id, payment_session_id, gateway, credential_id, provider_refund_id: null, provider_state: null };
  const made = await insertGatewayRefund(
    tx,
    { ...question, request_key: requester.requestKey, lease: requester.lease },
    { pollAfterMs: firstPollMs, leaseMs: requestLeaseMs },
  );
  await emitRequested(tx, pinned, refund);
  return made;
}

/** Audits a refund request to a provider. Events report its outcome. */
async function emitRequested(tx: Tx, pinned: Ctx, refund: RefundRow): Promise<void> {
  const { id, order_id, exception_id, payment_session_id, gateway, amount_minor, currency, reason, note } = refund;
  const detail = { order_id, exception_id, payment_session_id, gateway, amount_minor, currency, reason, note };
  await recordAudit(tx, { ctx: pinned, tenant: refund, action: "refund.requested", object_type: "refund", object_id: id, detail });
}

/** Details that only a person who made the refund can give. */
const ofPeople = ["channel", "paid_back_by", "paid_back_at", "external_transaction_id", "asset_id"] as const;

/** Throws parameter_conflict for fields that only a manual refund can have. */
export function refuseManualDetails(details: ManualDetails, prefix = ""): void {
  const given = ofPeople.find((name) => details[name] !== undefined && details[name] !== null);
  if (given === undefined) return;
  const message = `${prefix}${given} describes a refund that someone paid manually. Send method "manual" with it, or leave it out to have the provider refund the money.`;
  throw platformErrors.parameter_conflict({ param: `${prefix}${given}`, reason: "not_allowed", message });
}

/**
 * Throws order_state_conflict where the provider no longer refunds this payment, or an open dispute has taken its money,
 * amount_out_of_range for an amount that it can't refund, and gateway_not_configured where it can't be called. An inquiry has taken
 * nothing, and a refund is how it usually ends.
 */
export async function refuseUnrefundable(
  tx: Tx,
  ctx: Ctx,
  { payment, amount }: { payment: GatewayPaymentRow; amount: GatewayAmount },
): Promise<void> {
  const adapter = ctx.gateways.find(payment.gateway);
  if (adapter === null)
    throw orderErrors.gateway_not_configured({
      param: "method",
      message: `The gateway ${payment.gateway} is no longer part of this installation.`,
    });
  refuseUnwritable(adapter, amount);
  const open = (await listDisputesOfPayment(tx, payment)).filter(({ status }) => status === "opened");
  if (open.length > 0) {
    const message =
      "The buyer disputes this payment, so the provider decides what happens to the money. To pay it back, accept the dispute at the provider.";
    throw orderErrors.order_state_conflict({ message, fields: { dispute_ids: open.map(({ id }) => id) } });
  }
  const until = refundableUntil(payment, adapter);
  if (until === null || until > (await findNow(tx))) return;
  const message = 'The payment provider no longer refunds this payment. Pay it back in another way, and record that with method "manual".';
  throw orderErrors.order_state_conflict({ message, fields: { refundable_until: until.toISOString() } });
}

function refuseUnwritable({ manifest }: GatewayAdapter, { amount_minor, currency }: GatewayAmount): void {
  const stepMinor = manifest.limits.stepMinor(currency);
  if (amount_minor % stepMinor === 0) return;
  const step = decimalOf(stepMinor, currencyExponent(currency));
  const message = `${manifest.method.gateway} can only refund multiples of ${step} ${currency}. Refund such an amount, or pay it back in another way and record that with method "manual".`;
  throw platformErrors.amount_out_of_range({ param: "amount_minor", reason: "not_a_multiple", values: { step }, message });
}

function refundableUntil({ paid_at, created_at }: GatewayPaymentRow, { manifest }: GatewayAdapter): Date | null {
  const { refundDays } = manifest;
  return refundDays === null ? null : new Date((paid_at ?? created_at).getTime() + refundDays * dayMs);
}
