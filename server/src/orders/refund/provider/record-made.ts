import type { Transaction } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { insertGatewayRefund } from "../../rows/gateway-refunds.sql.ts";
import { insertRefund } from "../../rows/refunds.sql.ts";
import type { GatewayPaymentRow } from "../../shapes.ts";
import { notifyRefunded } from "../booking/notify-refunded.ts";
import { newRefund, type RefundOf } from "../booking/record-refund.ts";

interface Made {
  payment: GatewayPaymentRow;
  id: string;
  of: RefundOf;
  /** The transfer that debited it. */
  transaction: Transaction;
  /** Null if the provider only reported the payment's refunded total. */
  providerRefundId: string | null;
  /** The provider's state. */
  state: string;
}

/** Stores a refund that wasn't requested here and that is already booked, as its provider reports it. The order is locked. */
export async function recordMade(tx: Tx, pinned: Ctx, given: Made): Promise<void> {
  const { payment, id, of, transaction, providerRefundId, state } = given;
  const { project_id, livemode, payment_session_id, gateway, credential_id } = payment;
  const tenant = { project_id, livemode };
  const row = { ...newRefund(pinned, { tenant, id, of }), status: "succeeded" as const, gateway_refund_id: providerRefundId };
  const refund = await insertRefund(tx, { ...row, transaction_id: transaction.id, succeeded_at: pinned.now() });
  const question = {
    ...tenant,
    id,
    payment_session_id,
    gateway,
    credential_id,
    provider_refund_id: providerRefundId,
    provider_state: state,
  };
  await insertGatewayRefund(tx, { ...question, request_key: null, lease: null }, { pollAfterMs: 0, leaseMs: 0 });
  await notifyRefunded(tx, pinned, { refund, transaction });
}
