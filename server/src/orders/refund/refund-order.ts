import { recordTransfers } from "#ledger/index.ts";
import { atNow, type Ctx, decimalOf, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { listBookings } from "../rows/bookings.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { listRefundedByGateway } from "../rows/refunds.sql.ts";
import { findSession, listSessionRows } from "../rows/sessions.sql.ts";
import type { OrderRow, RefundRow, SessionRow } from "../shapes.ts";
import { type ManualDetails, refuseOddDetails } from "./manual-details.ts";
import { recordRefund } from "./record-refund.ts";

export interface RefundInput extends ManualDetails {
  order_id: string;
  /** All that is left to refund, when absent. */
  amount_minor?: number;
  /** The payment whose money goes back; the one that most is left of, when absent. */
  payment_session_id?: string;
}

/**
 * A person's word that money of a paid order went back to its buyer. Several refunds may share an order; together they never exceed what it received, which
 * leaves out what stands in suspense or excess. Throws refund_exceeds_received and order_state_conflict.
 */
export async function refundOrder(ctx: Ctx, tenant: Tenant, input: RefundInput): Promise<RefundRow> {
  await refuseOddDetails(ctx, input);
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const timed = await atNow(ctx, tx);
    const amountMinor = amountOf(order, input);
    const { gateway, session } = await choosePayment(tx, { order, input, amountMinor });
    const id = timed.id("rf");
    const [transaction] = await recordTransfers(tx, [
      {
        tenant: order,
        id: timed.id("txn"),
        kind: "refund",
        source: id,
        debit: "refunds",
        credit: "custody",
        amount_minor: amountMinor,
        currency: order.currency,
        gateway,
        order_id: order.id,
        reference: order.reference,
        payment_session_id: session?.id ?? null,
        external_transaction_id: input.external_transaction_id ?? null,
        description: order.description,
        created_by: timed.actor.id,
        now: timed.now(),
      },
    ]);
    if (transaction === undefined) throw new Error("a transfer was not booked");
    const of = {
      order_id: order.id,
      exception_id: null,
      payment_session_id: session?.id ?? null,
      gateway,
      amount_minor: amountMinor,
      currency: order.currency,
    };
    return (await recordRefund(tx, timed, { tenant: order, id, of, transaction, details: input })).refund;
  });
}

function amountOf(order: OrderRow, input: RefundInput): number {
  if (order.status !== "paid" || order.amount_received_minor === 0) {
    const message = "This order has no payment that could be refunded. Money held for it is paid back through its exception.";
    throw orderErrors.order_state_conflict({ message, fields: { status: order.status } });
  }
  const refundableMinor = order.amount_received_minor - order.amount_refunded_minor - order.amount_refunding_minor;
  const amountMinor = input.amount_minor ?? refundableMinor;
  if (amountMinor > refundableMinor || amountMinor === 0) throw tooMuch(order, { refundableMinor, more: "" });
  return amountMinor;
}

/** The payment that the money came through: an order may have been paid in parts through several gateways, and money goes out of the wallet that it is in. */
async function choosePayment(
  tx: Tx,
  given: { order: OrderRow; input: RefundInput; amountMinor: number },
): Promise<{ gateway: string; session: SessionRow | null }> {
  const { order, input, amountMinor } = given;
  const named = input.payment_session_id === undefined ? null : await findSession(tx, order, input.payment_session_id);
  if (input.payment_session_id !== undefined && named?.order_id !== order.id)
    throw platformErrors.parameter_invalid({ param: "payment_session_id", reason: "not_here", message: "This order has no such payment session." });
  const rests = await restsByGateway(tx, order);
  const [largest] = [...rests].sort(([, one], [, other]) => other - one);
  const gateway = named?.gateway ?? largest?.[0] ?? "";
  const refundableMinor = Math.max(0, rests.get(gateway) ?? 0);
  if (amountMinor > refundableMinor)
    throw tooMuch(order, { refundableMinor, more: ` of what came through ${gateway}. Refund each payment on its own, with payment_session_id` });
  const sessions = (await listSessionRows(tx, order, [order.id])).filter((session) => session.gateway === gateway);
  return { gateway, session: named ?? sessions.find(({ status }) => status === "succeeded") ?? sessions[0] ?? null };
}

/** What is left of an order's payments, by the gateway that they came through. */
async function restsByGateway(tx: Tx, order: OrderRow): Promise<Map<string, number>> {
  const rests = new Map<string, number>();
  const add = (gateway: string, minor: number) => rests.set(gateway, (rests.get(gateway) ?? 0) + minor);
  for (const { gateway, amount_minor } of await listBookings(tx, order)) add(gateway, amount_minor);
  for (const { gateway, total } of await listRefundedByGateway(tx, order)) add(gateway, -total);
  return rests;
}

function tooMuch(order: OrderRow, given: { refundableMinor: number; more: string }): Error {
  const left = `${decimalOf(given.refundableMinor, order.exponent)} ${order.currency}`;
  const message = given.refundableMinor === 0 ? `Nothing is left to refund${given.more}.` : `At most ${left} is left to refund${given.more}.`;
  const fields = { refundable_minor: given.refundableMinor, currency: order.currency };
  return orderErrors.refund_exceeds_received({ param: "amount_minor", message, fields });
}
