import { recordAudit } from "#audit/index.ts";
import { personalMethodOf } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import type { Transaction } from "#ledger/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { refundEvent, transactionEvent } from "../order-events.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { insertRefund } from "../rows/refunds.sql.ts";
import type { OrderRow, RefundRow } from "../shapes.ts";
import { type ManualDetails, saidOf, useProof } from "./manual-details.ts";
import { tellBuyer } from "./tell-buyer.ts";

interface Refunded {
  tenant: Tenant;
  id: string;
  /** Whose money goes back: of an order, of an exception, or of an order's exception. */
  of: Pick<RefundRow, "order_id" | "exception_id" | "payment_session_id" | "gateway" | "amount_minor" | "currency">;
  /** What took it out of the books. */
  transaction: Transaction;
  details: ManualDetails;
}

/** Writes down a refund that a person made and whose money is out of the books already: its row, events, audit row and the buyer's mail. The order is locked. */
export async function recordRefund(tx: Tx, timed: Ctx, given: Refunded): Promise<{ refund: RefundRow; order: OrderRow | null }> {
  const { tenant, id, of, transaction, details } = given;
  const now = timed.now();
  const said = saidOf(timed, details, personalMethodOf(of.gateway)?.channel ?? "other");
  await useProof(tx, tenant, { asset_id: said.asset_id, refund_id: id });
  const refund = await insertRefund(tx, {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    ...of,
    ...said,
    method: "manual",
    status: "succeeded",
    gateway_refund_id: null,
    next_action: null,
    failure_code: null,
    failure_note: null,
    transaction_id: transaction.id,
    created_by: timed.actor.id,
    version: 1,
    succeeded_at: now,
    failed_at: null,
    created_at: now,
    updated_at: now,
  });
  const order = of.order_id === null ? null : await findOrderRow(tx, tenant, of.order_id);
  await emit(tx, timed, { tenant, events: [transactionEvent(transaction, order), refundEvent("refund.succeeded", refund, order)] });
  const { order_id, exception_id, amount_minor, currency, method, channel, external_transaction_id, reason, note } = refund;
  const detail = { order_id, exception_id, amount_minor, currency, method, channel, external_transaction_id, reason, note, transaction_id: transaction.id };
  await recordAudit(tx, { ctx: timed, tenant, action: "refund.succeeded", object_type: "refund", object_id: id, detail });
  if (order !== null) await tellBuyer(tx, timed, { refund, order });
  return { refund, order };
}
