import { type Db, platformErrors } from "#platform/index.ts";
import { listBookings } from "../../rows/bookings.sql.ts";
import { listDisputedByPayment } from "../../rows/disputes.sql.ts";
import { listPaymentsOfNumbers } from "../../rows/find-gateway-payments.sql.ts";
import { listRefundedByGateway, listRefundedBySession } from "../../rows/refunds.sql.ts";
import { findSession, listSessionRows } from "../../rows/sessions.sql.ts";
import type { GatewayPaymentRow, OrderRow, SessionRow } from "../../shapes.ts";
import { eachAlone, tooMuch } from "./refund-limit.ts";

/** The requested refund; without a session, of the payment with the most left. */
export interface Wanted {
  order: OrderRow;
  input: { payment_session_id?: string };
}

/** The payment that received the money: an order may have been paid in parts through several gateways, and each wallet refunds its own. */
export async function choosePayment(
  db: Db,
  given: Wanted & { amountMinor: number },
): Promise<{ gateway: string; session: SessionRow | null }> {
  const { order, amountMinor } = given;
  const named = await findNamed(db, given);
  const rests = await restsByGateway(db, order);
  const gateway = named?.gateway ?? largestOf(rests);
  const refundableMinor = Math.max(0, rests.get(gateway) ?? 0);
  if (amountMinor > refundableMinor) throw tooMuch(order, { refundableMinor, more: ` of what came through ${gateway}. ${eachAlone}` });
  const sessions = (await listSessionRows(db, order, [order.id])).filter((session) => session.gateway === gateway);
  return { gateway, session: named ?? sessions.find(({ status }) => status === "succeeded") ?? sessions[0] ?? null };
}

/** A payment at a provider, and the part of it that belongs to the order, wasn't refunded, and wasn't taken for a dispute. */
export interface AtProvider {
  payment: GatewayPaymentRow;
  restMinor: number;
}

/** The payment at a provider that received the money; null if it came in another way. */
export async function choosePaymentAtProvider(db: Db, given: Wanted): Promise<AtProvider | null> {
  const { order } = given;
  const named = await findNamed(db, given);
  const all = await listAtProviders(db, order);
  if (named !== null) return all.find(({ payment }) => payment.payment_session_id === named.id) ?? null;
  const gateway = largestOf(await restsByGateway(db, order));
  const [largest] = all.filter(({ payment }) => payment.gateway === gateway).sort((one, other) => other.restMinor - one.restMinor);
  return largest ?? null;
}

async function listAtProviders(db: Db, order: OrderRow): Promise<AtProvider[]> {
  const bookings = await listBookings(db, order);
  const payments = await listPaymentsOfNumbers(
    db,
    order,
    bookings.map(({ gateway, external_id }) => ({ gateway, external_id })),
  );
  const refunded = new Map((await listRefundedBySession(db, order)).map(({ payment_session_id, total }) => [payment_session_id, total]));
  const disputed = new Map((await listDisputedByPayment(db, order)).map(({ payment_session_id, total }) => [payment_session_id, total]));
  const goneOf = (id: string) => (refunded.get(id) ?? 0) + (disputed.get(id) ?? 0);
  return payments.map((payment) => {
    const own = bookings.filter(({ gateway, external_id }) => isNumberOf(payment, { gateway, external_id }));
    const bookedMinor = own.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    return { payment, restMinor: Math.max(0, bookedMinor - goneOf(payment.payment_session_id)) };
  });
}

/** Later money on a payment has a number that begins with the first one's. */
function isNumberOf(payment: GatewayPaymentRow, { gateway, external_id }: { gateway: string; external_id: string }): boolean {
  if (gateway !== payment.gateway || payment.settled_id === null) return false;
  return external_id === payment.settled_id || external_id.startsWith(`${payment.settled_id}+`);
}

async function findNamed(db: Db, { order, input }: Wanted): Promise<SessionRow | null> {
  if (input.payment_session_id === undefined) return null;
  const named = await findSession(db, order, input.payment_session_id);
  if (named?.order_id === order.id) return named;
  throw platformErrors.parameter_invalid({
    param: "payment_session_id",
    reason: "not_here",
    message: "This order doesn't have this payment session.",
  });
}

/** What is left of an order's payments, by gateway. */
async function restsByGateway(db: Db, order: OrderRow): Promise<Map<string, number>> {
  const rests = new Map<string, number>();
  const add = (gateway: string, minor: number) => rests.set(gateway, (rests.get(gateway) ?? 0) + minor);
  for (const { gateway, amount_minor } of await listBookings(db, order)) add(gateway, amount_minor);
  for (const { gateway, total } of await listRefundedByGateway(db, order)) add(gateway, -total);
  for (const { gateway, total } of await listDisputedByPayment(db, order)) add(gateway, -total);
  return rests;
}

function largestOf(rests: ReadonlyMap<string, number>): string {
  const [largest] = [...rests].sort(([, one], [, other]) => other - one);
  return largest?.[0] ?? "";
}
