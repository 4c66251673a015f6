import { recordAudit } from "#audit/index.ts";
import { listOfSet, methodOfChannel, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import { listProjectsOfSet, orderErrors, updateReceivedOfSet, updateReceivedUnlinked } from "#orders/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { closeAmount } from "./close-amount.ts";
import { freeReceipt } from "./free-receipt.ts";
import { accountOf } from "./match-receipt.ts";
import { lockAccountOfReceipt, lockOwnReceipt, refuseElsewhere } from "./own-receipt.ts";
import { writeReceiptResult } from "./settle-receipt.ts";

/**
 * Undoes a link, an ignore, or a booking in suspense; the receipt then waits for a person and isn't matched automatically again. A set is
 * undone as a whole. Throws order_state_conflict for a receipt that paid an order, and session_required for a key if the order is another
 * project's.
 */
export function unlinkReceipt(ctx: Ctx, tenant: Tenant, input: { receipt_id: string }): Promise<ReceiptRow> {
  return ctx.transact(async (tx) => {
    await lockAccountOfReceipt(tx, { tenant, id: input.receipt_id });
    const receipt = await lockOwnReceipt(tx, tenant, input.receipt_id);
    if (receipt.status === "unmatched" && receipt.exception_id === null)
      throw orderErrors.order_state_conflict({ message: "This receipt isn't linked.", fields: { status: receipt.status } });
    const cut =
      receipt.status === "linked"
        ? await cutLink(tx, ctx, { tenant, receipt })
        : await freeReceipt(tx, ctx, { tenant, receipt, note: "unlinked" });
    const free = await updateReceipt(tx, cut, { status: "unmatched", decided_by: ctx.actor.id, decision_reason: "unlinked" });
    await audit(tx, ctx, { receipt: free, action: "receipt.unlinked", detail: { was: receipt.status, set_id: receipt.set_id } });
    return free;
  });
}

/** Unlinks a receipt, and all of its set, from its payment. Throws session_required for a key if that is another project's. */
export async function cutLink(tx: Tx, ctx: Ctx, given: { tenant: Tenant; receipt: ReceiptRow }): Promise<ReceiptRow> {
  const { tenant, receipt } = given;
  const ofSet = receipt.set_id === null ? [] : await listProjectsOfSet(tx, accountOf(receipt), receipt.set_id);
  refuseElsewhere(ctx, tenant, [receipt.booked_project_id, ...ofSet]);
  const open = { status: "unmatched", booked: null, payment_session_id: null, set_id: null, exception_id: null, twin_id: null } as const;
  if (receipt.set_id !== null) {
    await updateReceivedOfSet(tx, accountOf(receipt), receipt.set_id);
    for (const other of await listOfSet(tx, accountOf(receipt), receipt.set_id)) {
      if (other.id !== receipt.id) await updateReceipt(tx, other, { ...open, decided_by: ctx.actor.id, decision_reason: "unlinked" });
    }
  }
  if (receipt.booked_project_id !== null && receipt.booked_external_id !== null) {
    const place = { project_id: receipt.booked_project_id, livemode: receipt.livemode };
    await updateReceivedUnlinked(tx, place, {
      gateway: methodOfChannel(receipt.channel).gateway,
      externalId: receipt.booked_external_id,
      receiptId: receipt.id,
    });
  }
  const cut = await updateReceipt(tx, receipt, open);
  return writeReceiptResult(tx, ctx, { receipt: cut, status: "unmatched", booked: null, session_id: null, exception_id: null });
}

/**
 * Ignores a receipt, with the reason: income that isn't the shop's. Its money in suspense leaves the books by a reversal. Throws
 * order_state_conflict for a receipt that is linked or paid an order, and session_required for a key if its money is another project's.
 */
export function ignoreReceipt(ctx: Ctx, tenant: Tenant, input: { receipt_id: string; reason: string }): Promise<ReceiptRow> {
  if (input.reason.trim() === "")
    throw platformErrors.parameter_invalid({ param: "reason", reason: "required", message: "Give a short reason." });
  return ctx.transact(async (tx) => {
    await lockAccountOfReceipt(tx, { tenant, id: input.receipt_id });
    const receipt = await lockOwnReceipt(tx, tenant, input.receipt_id);
    if (receipt.status === "linked")
      throw orderErrors.order_state_conflict({ message: "This receipt is linked. Unlink it first.", fields: { status: receipt.status } });
    const free = receipt.status === "ignored" ? receipt : await freeReceipt(tx, ctx, { tenant, receipt, note: input.reason });
    const ignored = await updateReceipt(tx, free, { status: "ignored", decided_by: ctx.actor.id, decision_reason: input.reason });
    await audit(tx, ctx, { receipt: ignored, action: "receipt.ignored", detail: { reason: input.reason, was: receipt.status } });
    await closeAmount(tx, ctx, { account: accountOf(ignored), amount: ignored.amount_minor, at: ignored.occurred_at });
    return ignored;
  });
}

function audit(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; action: string; detail: Record<string, unknown> }): Promise<void> {
  const { receipt, action, detail } = given;
  return recordAudit(tx, { ctx, tenant: receipt, action, object_type: "receipt", object_id: receipt.id, detail });
}
