import { atNow, type Ctx, platformErrors, refuseCardNumbers, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { findRefundRow, lockRefund } from "../rows/refunds.sql.ts";
import type { RefundRow, refundFailures } from "../shapes.ts";
import { failLocked } from "./booking/fail-locked.ts";

export interface RefundFailure {
  refund_id: string;
  failure_code: (typeof refundFailures)[number];
  note?: string | null;
}

/**
 * A person's word that a refund's money never left or came back. The order can be refunded that much again; an exception holds its money again and is open.
 * Throws order_state_conflict for a refund that failed already, and for one that a provider makes.
 */
export async function failRefund(ctx: Ctx, tenant: Tenant, input: RefundFailure): Promise<RefundRow> {
  refuseCardNumbers({ note: input.note });
  return ctx.transact(async (tx) => {
    const seen = await findRefundRow(tx, tenant, input.refund_id);
    if (seen === null) throw platformErrors.resource_missing({ param: "id" });
    const order = seen.order_id === null ? null : await lockOrder(tx, tenant, seen.order_id);
    const refund = await lockRefund(tx, tenant, seen.id);
    if (refund === null) throw new Error("a refund vanished");
    refuseUnfailable(refund);
    return failLocked(tx, await atNow(ctx, tx), { refund, order, code: input.failure_code, note: input.note ?? null });
  });
}

function refuseUnfailable({ method, status }: RefundRow): void {
  const fields = { status };
  if (method === "gateway") {
    const message = "The payment provider makes this refund and says whether it fails. Only refunds that somebody recorded are marked as failed.";
    throw orderErrors.order_state_conflict({ message, fields });
  }
  if (status !== "succeeded") throw orderErrors.order_state_conflict({ message: "This refund failed already.", fields });
}
