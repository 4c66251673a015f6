import { personalMethodOf } from "#collection/index.ts";
import type { Transaction } from "#ledger/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { insertRefund } from "../../rows/refunds.sql.ts";
import type { RefundRow } from "../../shapes.ts";
import { type ManualDetails, refundDetails, useProof } from "./manual-details.ts";
import { notifyRefunded } from "./notify-refunded.ts";

/** Whose money is refunded: an order's, an exception's, or that of an order's exception. */
export type RefundOf = Pick<RefundRow, "order_id" | "exception_id" | "payment_session_id" | "gateway" | "amount_minor" | "currency">;

interface Refunded {
  tenant: Tenant;
  id: string;
  of: RefundOf;
  /** The transfer that debited it. */
  transaction: Transaction;
  details: ManualDetails;
}

/** Stores a refund that a person made and that is already booked, and reports it. The order is locked. */
export async function recordRefund(tx: Tx, pinned: Ctx, given: Refunded): Promise<RefundRow> {
  const { tenant, id, of, transaction, details } = given;
  const paidBack = refundDetails(pinned, details, personalMethodOf(of.gateway)?.channel ?? "other");
  await useProof(tx, tenant, { asset_id: paidBack.asset_id, refund_id: id });
  const row = { ...newRefund(pinned, { tenant, id, of }), ...paidBack, method: "manual" as const, status: "succeeded" as const };
  const refund = await insertRefund(tx, { ...row, transaction_id: transaction.id, succeeded_at: pinned.now() });
  await notifyRefunded(tx, pinned, { refund, transaction });
  return refund;
}

/** A refund without an outcome yet: its provider is about to be asked for it. */
export function newRefund(pinned: Ctx, given: { tenant: Tenant; id: string; of: RefundOf }): RefundRow {
  const { tenant, id, of } = given;
  const now = pinned.now();
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    ...of,
    method: "gateway",
    status: "pending",
    ...{ reason: null, note: null, channel: null, paid_back_by: null, paid_back_at: null, external_transaction_id: null, asset_id: null },
    ...{ gateway_refund_id: null, next_action: null, failure_code: null, failure_note: null, transaction_id: null },
    created_by: pinned.actor.id,
    version: 1,
    succeeded_at: null,
    failed_at: null,
    created_at: now,
    updated_at: now,
  };
}
