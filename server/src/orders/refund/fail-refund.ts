import { identityErrors } from "#identity/index.ts";
import { atNow, type Ctx, platformErrors, refuseCardNumbers, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { isOverdue, maxPolls } from "../polling/calendar.ts";
import { lockGatewayRefund, updateGatewayRefundEnded } from "../rows/gateway-refunds.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { findRefundRow, lockRefund } from "../rows/refunds.sql.ts";
import type { OrderRow, RefundRow, refundFailures } from "../shapes.ts";
import { closeRefundCase } from "./booking/close-refund-case.ts";
import { failLocked } from "./booking/fail-locked.ts";

export interface RefundFailure {
  refund_id: string;
  failure_code: (typeof refundFailures)[number];
  note?: string | null;
}

/**
 * A person's word that a refund's money never left or came back. The order can be refunded that much again; an exception holds its money
 * again and is open. Of a refund that a provider makes this is a person's to say only once the provider hasn't said for days what became of
 * it, in words of what they saw there. Throws order_state_conflict for a refund that failed already, and for one that its provider speaks
 * for; session_required for a key, where a person has to have looked.
 */
export async function failRefund(ctx: Ctx, tenant: Tenant, input: RefundFailure): Promise<RefundRow> {
  refuseCardNumbers({ note: input.note });
  return ctx.transact(async (tx) => {
    const seen = await findRefundRow(tx, tenant, input.refund_id);
    if (seen === null) throw platformErrors.resource_missing({ param: "id" });
    const order = seen.order_id === null ? null : await lockOrder(tx, tenant, seen.order_id);
    const refund = await lockRefund(tx, tenant, seen.id);
    if (refund === null) throw new Error("a refund vanished");
    const pinned = await atNow(ctx, tx);
    if (refund.method === "gateway") await endQuestion(tx, pinned, { refund, order, input });
    else if (refund.status !== "succeeded") throw failedAlready(refund);
    return failLocked(tx, pinned, { refund, order, code: input.failure_code, note: input.note ?? null });
  });
}

function failedAlready({ status }: RefundRow): Error {
  return orderErrors.order_state_conflict({ message: "This refund has already failed.", fields: { status } });
}

/** The provider isn't asked about it, or for it, any more: if it was made after all, the provider's report is a separate refund. */
async function endQuestion(tx: Tx, pinned: Ctx, given: { refund: RefundRow; order: OrderRow | null; input: RefundFailure }): Promise<void> {
  const { refund, order, input } = given;
  const { id, status } = refund;
  if (status === "failed") throw failedAlready(refund);
  const question = await lockGatewayRefund(tx, refund, id);
  const isSilent = question !== null && question.exception_id !== null && (question.asks >= maxPolls || isOverdue(question, pinned.now()));
  if (!isSilent || status === "succeeded") {
    const message =
      "The payment provider makes this refund and reports whether it fails. You can mark it as failed once the provider hasn't responded for days and an exception with the reason refund_unknown was opened.";
    throw orderErrors.order_state_conflict({ message, fields: { status } });
  }
  if (question.state === "leased") {
    const message = "The provider is being queried about this refund right now. Try again in a minute.";
    throw orderErrors.order_state_conflict({ message, fields: { status } });
  }
  if (pinned.actor.kind === "api_key")
    throw identityErrors.session_required({ message: "Someone who has checked with the payment provider must do this in the dashboard." });
  if ((input.note ?? "").trim() === "")
    throw platformErrors.parameter_invalid({ param: "note", reason: "required", message: "Enter what you found at the payment provider." });
  await updateGatewayRefundEnded(tx, question);
  await closeRefundCase(tx, pinned, { question, order, note: input.note ?? null });
}
