import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import type { Transaction } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { refundEvent, transactionEvent } from "../../order-events.ts";
import { findOrderRow } from "../../rows/orders.sql.ts";
import type { RefundRow } from "../../shapes.ts";
import { notifyBuyer } from "./notify-buyer.ts";

/** Reports a booked refund: events, audit row and the buyer's email. The order is locked. */
export async function notifyRefunded(tx: Tx, pinned: Ctx, given: { refund: RefundRow; transaction: Transaction }): Promise<void> {
  const { refund, transaction } = given;
  const order = refund.order_id === null ? null : await findOrderRow(tx, refund, refund.order_id);
  await emit(tx, pinned, {
    tenant: refund,
    events: [transactionEvent(transaction, order), refundEvent("refund.succeeded", refund, order)],
  });
  const { order_id, exception_id, amount_minor, currency, method, channel, external_transaction_id, gateway_refund_id, reason, note } =
    refund;
  const what = {
    order_id,
    exception_id,
    amount_minor,
    currency,
    method,
    channel,
    external_transaction_id,
    gateway_refund_id,
    reason,
    note,
  };
  const detail = { ...what, transaction_id: transaction.id };
  await recordAudit(tx, { ctx: pinned, tenant: refund, action: "refund.succeeded", object_type: "refund", object_id: refund.id, detail });
  if (order !== null) await notifyBuyer(tx, pinned, { kind: "order_refunded", refund, order });
}
