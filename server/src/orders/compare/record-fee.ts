import type { GatewayAmount } from "#gateways/index.ts";
import { atNow, type Ctx, type Tenant } from "#platform/index.ts";
import { bookFees } from "../gateway/book-fees.ts";
import { lockGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { updateListedFee } from "./sql.ts";

/**
 * Books a fee that only the provider's list tells, like one that is reported with the payment, and stores it there. Does nothing if the
 * payment has a fee already, or isn't known to be paid.
 */
export function recordFee(ctx: Ctx, of: Tenant & { payment_session_id: string; order_id: string }, fee: GatewayAmount): Promise<void> {
  return ctx.transactUnclaimed(async (tx) => {
    const order = await lockOrder(tx, of, of.order_id);
    const payment = await lockGatewayPayment(tx, of, of.payment_session_id);
    const session = await findSession(tx, of, of.payment_session_id);
    if (order === null || payment === null || session === null) throw new Error("a listed payment vanished");
    const { settled_id, paid_minor, paid_currency, fee_minor } = payment;
    if (settled_id === null || paid_minor === null || paid_currency === null || fee_minor !== null) return;
    const paid = { amount_minor: paid_minor, currency: paid_currency };
    await bookFees(tx, [{ pinned: await atNow(ctx, tx), order, session, externalId: settled_id, paid, fee }]);
    await updateListedFee(tx, payment, fee);
  });
}
