import type { GatewayAmount } from "#gateways/index.ts";
import {
  bookFees,
  findSession,
  type GatewayPaymentRow,
  listSessionsOfOrders,
  lockBooked,
  lockFreeGatewayPayments,
  lockFreeOrders,
  lockGatewayPayment,
  lockOrder,
  type OrderRow,
  type SessionRow,
  updateListedFees,
} from "#orders/index.ts";
import { atNow, type Ctx, type Tenant, type Tx } from "#platform/index.ts";

/** A fee that only the provider's list tells. */
export interface ListedFee {
  payment: Tenant & { payment_session_id: string; order_id: string };
  fee: GatewayAmount;
}

/** A fee with its payment and order, both locked. */
interface LockedFee {
  order: OrderRow;
  payment: GatewayPaymentRow;
  session: SessionRow;
  fee: GatewayAmount;
}

/**
 * Books fees of different payments that only the provider's list tells, like those that are reported with the payment, and stores them
 * there: in one transaction, and those whose locks would have to be waited for in one each. Does nothing for payments that have a fee
 * already, aren't known to be paid, or whose money a person has reversed as never received.
 */
export async function recordFees(ctx: Ctx, fees: readonly ListedFee[]): Promise<void> {
  if (fees.length === 0) return;
  const left = await ctx.transactUnclaimed((tx) => recordFree(tx, ctx, fees));
  for (const one of left) await recordAlone(ctx, one);
}

/** Returns the fees of payments that another transaction has locked. */
async function recordFree(tx: Tx, ctx: Ctx, fees: readonly ListedFee[]): Promise<ListedFee[]> {
  const orderKeys = new Map(fees.map(({ payment }) => [payment.order_id, { ...tenantOf(payment), id: payment.order_id }]));
  const orders = await lockFreeOrders(tx, [...orderKeys.values()]);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const unlocked = fees.filter(({ payment }) => orderOf.has(payment.order_id));
  const paymentKeys = unlocked.map(({ payment }) => ({ ...tenantOf(payment), id: payment.payment_session_id }));
  const payments = await lockFreeGatewayPayments(tx, paymentKeys);
  const paymentOf = new Map(payments.map((payment) => [payment.payment_session_id, payment]));
  const sessions = await listSessionsOfOrders(tx, orders);
  const sessionOf = new Map(sessions.map((session) => [session.id, session]));
  const locked: LockedFee[] = [];
  const left: ListedFee[] = [];
  for (const one of fees) {
    const { order_id, payment_session_id } = one.payment;
    const [order, payment, session] = [orderOf.get(order_id), paymentOf.get(payment_session_id), sessionOf.get(payment_session_id)];
    if (order === undefined || payment === undefined || session === undefined) left.push(one);
    else locked.push({ order, payment, session, fee: one.fee });
  }
  await writeFees(tx, ctx, locked);
  return left;
}

function recordAlone(ctx: Ctx, { payment: of, fee }: ListedFee): Promise<void> {
  return ctx.transactUnclaimed(async (tx) => {
    const order = await lockOrder(tx, of, of.order_id);
    const payment = await lockGatewayPayment(tx, of, of.payment_session_id);
    const session = await findSession(tx, of, of.payment_session_id);
    if (order === null || payment === null || session === null) throw new Error("a listed payment vanished");
    await writeFees(tx, ctx, [{ order, payment, session, fee }]);
  });
}

async function writeFees(tx: Tx, ctx: Ctx, locked: readonly LockedFee[]): Promise<void> {
  const pinned = await atNow(ctx, tx);
  const reported = locked.flatMap((one) => {
    const { settled_id, paid_minor, paid_currency, fee_minor } = one.payment;
    if (settled_id === null || paid_minor === null || paid_currency === null || fee_minor !== null) return [];
    return [{ ...one, pinned, externalId: settled_id, paid: { amount_minor: paid_minor, currency: paid_currency } }];
  });
  const [first] = reported;
  if (first === undefined) return;
  const { payment } = first;
  const numbers = await lockBooked(tx, payment, { gateway: payment.gateway, numbers: reported.map(({ externalId }) => externalId) });
  // The lines were compared before these locks.
  const booked = new Set(numbers);
  const due = reported.filter(({ externalId }) => booked.has(externalId));
  await bookFees(tx, due);
  await updateListedFees(
    tx,
    payment,
    due.map(({ payment: { id }, fee }) => ({ id, ...fee })),
  );
}

function tenantOf({ project_id, livemode }: Tenant): Tenant {
  return { project_id, livemode };
}
