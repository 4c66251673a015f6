import { recordAudit } from "#audit/index.ts";
import { methodOfChannel, type ReceiptRow } from "#collection/index.ts";
import { findLatestSessionOf, findOrderRow, findSession, lockOrder, type OrderRow, orderErrors } from "#orders/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { closeAmount } from "./close-amount.ts";
import { freeReceipt } from "./free-receipt.ts";
import { findPieceOf } from "./match/find-piece.ts";
import { accountOf } from "./match-receipt.ts";
import { lockAccountOfReceipt, lockOwnReceipt, refuseOwnWord } from "./own-receipt.ts";
import { bookReceipt, linkToPiece } from "./settle-receipt.ts";
import { findMerchantOrder } from "./sql.ts";

export interface LinkInput {
  receipt_id: string;
  /** The order that the money is for, or one of its payments. */
  order_id?: string;
  payment_session_id?: string;
  /** The person signed in or confirmed recently. */
  is_fresh?: boolean;
}

/**
 * A person's decision that a receipt is an order's money. If the order was approved and has no receipt yet, the receipt is linked to that
 * payment and nothing is booked; otherwise it pays like an approval, short and excess amounts included. A manually entered receipt must be
 * linked by another person.
 */
export function linkReceipt(ctx: Ctx, tenant: Tenant, input: LinkInput): Promise<ReceiptRow> {
  return ctx.transact(async (tx) => {
    const seen = await lockAccountOfReceipt(tx, { tenant, id: input.receipt_id });
    await refuseOwnWord(tx, ctx, { receipt: seen, isConfirmed: input.is_fresh === true });
    const order = await lockTarget(tx, ctx, { tenant, input, receipt: seen });
    const receipt = await lockOwnReceipt(tx, tenant, seen.id);
    if (receipt.status === "linked" || receipt.status === "ignored")
      throw orderErrors.order_state_conflict({
        message: `This receipt is ${receipt.status}. Unlink it first.`,
        fields: { status: receipt.status },
      });
    const free =
      receipt.status === "unmatched" && receipt.exception_id === null
        ? receipt
        : await freeReceipt(tx, ctx, { tenant, receipt, note: "linked" });
    const linked = await giveTo(tx, ctx, { receipt: free, order, input });
    const detail = { order_id: order.id, status: linked.status, exception_id: linked.exception_id };
    await recordAudit(tx, { ctx, tenant, action: "receipt.linked", object_type: "receipt", object_id: linked.id, detail });
    await closeAmount(tx, ctx, { account: accountOf(linked), amount: linked.amount_minor, at: linked.occurred_at });
    return linked;
  });
}

async function lockTarget(tx: Tx, ctx: Ctx, given: { tenant: Tenant; input: LinkInput; receipt: ReceiptRow }): Promise<OrderRow> {
  const { tenant, input, receipt } = given;
  const { order_id, payment_session_id } = input;
  if ((order_id === undefined) === (payment_session_id === undefined))
    throw platformErrors.parameter_missing({
      param: "order_id",
      reason: "order_needed",
      message: "Send either order_id or payment_session_id.",
    });
  const param = order_id === undefined ? "payment_session_id" : "order_id";
  const named = order_id ?? (await findSession(tx, tenant, payment_session_id ?? ""))?.order_id ?? null;
  const own = named === null ? null : await findOrderRow(tx, tenant, named);
  // A member sees every project of the merchant; a key sees its own.
  const found =
    own ?? (named === null || ctx.actor.kind !== "person" ? null : await findMerchantOrder(tx, { ...accountOf(receipt), id: named }));
  const order = found === null ? null : await lockOrder(tx, found, found.id);
  if (order === null)
    throw platformErrors.parameter_invalid({ param, reason: "not_here", message: "No such object in this project and environment." });
  if (order.currency !== receipt.currency)
    throw platformErrors.parameter_conflict({ param, reason: "other_currency", message: "The order has a different currency." });
  if (order.status === "canceled")
    throw orderErrors.order_state_conflict({ message: "The order was canceled.", fields: { status: order.status } });
  return order;
}

async function giveTo(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; order: OrderRow; input: LinkInput }): Promise<ReceiptRow> {
  const { receipt, order, input } = given;
  const piece = await findPieceOf(tx, { receipt, order });
  if (piece !== null) return linkToPiece(tx, ctx, { receipt, piece });
  const place = { orderId: order.id, gateway: methodOfChannel(receipt.channel).gateway, at: receipt.occurred_at };
  const session_id = input.payment_session_id ?? (await findLatestSessionOf(tx, order, place))?.id ?? null;
  return (await bookReceipt(tx, ctx, { receipt, target: { order, session_id }, source: "link" })).receipt;
}
