import { recordAudit } from "#audit/index.ts";
import { emit, type NewEvent } from "#events/index.ts";
import { reverseTransfer } from "#ledger/index.ts";
import { atNow, type Ctx, platformErrors, refuseCardNumbers, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { refundEvent, transactionEvent } from "../order-events.ts";
import { findOrderRow, lockOrder } from "../rows/orders.sql.ts";
import { findRefundRow, lockRefund, updateRefundFailed } from "../rows/refunds.sql.ts";
import type { OrderRow, RefundRow, refundFailures } from "../shapes.ts";
import { holdAgain } from "./hold-again.ts";

export interface RefundFailure {
  refund_id: string;
  failure_code: (typeof refundFailures)[number];
  note?: string | null;
}

/**
 * A person's word that a refund's money never left or came back. The order can be refunded that much again; an exception holds its money again and is open.
 * Throws order_state_conflict for a refund that failed already.
 */
export async function failRefund(ctx: Ctx, tenant: Tenant, input: RefundFailure): Promise<RefundRow> {
  refuseCardNumbers({ note: input.note });
  return ctx.transact(async (tx) => {
    const seen = await findRefundRow(tx, tenant, input.refund_id);
    if (seen === null) throw platformErrors.resource_missing({ param: "id" });
    const order = seen.order_id === null ? null : await lockOrder(tx, tenant, seen.order_id);
    const locked = await lockRefund(tx, tenant, seen.id);
    if (locked?.status !== "succeeded") throw orderErrors.order_state_conflict({ message: "This refund failed already.", fields: { status: locked?.status } });
    const timed = await atNow(ctx, tx);
    const refund = await updateRefundFailed(tx, locked, { from: ["succeeded"], code: input.failure_code, note: input.note ?? null });
    if (refund === null) throw new Error("a locked refund changed under its lock");
    const booked = refund.exception_id === null ? await bookBack(tx, timed, { refund, order }) : await holdAgain(tx, timed, { refund, order });
    const after = order === null ? null : await findOrderRow(tx, tenant, order.id);
    await emit(tx, timed, { tenant, events: [...booked(after), refundEvent("refund.failed", refund, after)] });
    const { order_id, exception_id, amount_minor, currency, failure_code } = refund;
    const detail = { order_id, exception_id, amount_minor, currency, failure_code, note: refund.failure_note };
    await recordAudit(tx, { ctx: timed, tenant, action: "refund.failed", object_type: "refund", object_id: refund.id, detail });
    return refund;
  });
}

async function bookBack(tx: Tx, timed: Ctx, given: { refund: RefundRow; order: OrderRow | null }): Promise<(order: OrderRow | null) => NewEvent[]> {
  const { refund } = given;
  const reversal = { id: timed.id("txn"), reverses: refund.transaction_id ?? "", source: refund.id, created_by: timed.actor.id, now: timed.now() };
  const transaction = await reverseTransfer(tx, refund, reversal);
  return (order) => [transactionEvent(transaction, order)];
}
