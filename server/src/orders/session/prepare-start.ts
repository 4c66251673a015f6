import type { PaymentMethod } from "#gateways/index.ts";
import { type Ctx, findNow, type Pipe, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { refuseCurrency } from "../method/refuse-currency.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { findGatewayPayment, updateGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { lockOrder } from "../rows/orders.sql.ts";
import { lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import type { ExceptionRow, OrderRow, SessionRow } from "../shapes.ts";
import { type ClosedSessions, OpenAtProvider } from "./starting.ts";

export interface StartRequest {
  tenant: Tenant;
  order_id: string;
  method: PaymentMethod;
  closed: ClosedSessions;
}

export interface Prepared {
  /** At the time of the database. */
  pinned: Ctx;
  order: OrderRow;
  /** The amount that is still due. */
  amount_minor: number;
  /** The session that this method already has open, to be returned unchanged. */
  same: SessionRow | null;
  /**
   * Ends the open session of another method, or one that asks for another amount or was closed, once the new one can be started. Throws
   * session_active.
   */
  closeOther(): Promise<void>;
}

/** The data that a start depends on. */
type Start = [order: OrderRow | null, open: SessionRow | null, held: ExceptionRow[], now: Date];

/** Locks an order and loads its related rows, and checks them; see `checkStart`. */
export async function prepareStart(tx: Tx, ctx: Ctx, request: StartRequest): Promise<Prepared> {
  return checkStart(tx, ctx, { ...request, start: await pipeline(tx, (pipe) => lockStart(pipe, request)) });
}

/** Locks an order and loads its related rows, in this order: the order's lock comes first. */
export function lockStart(pipe: Pipe, { tenant, order_id }: Pick<StartRequest, "tenant" | "order_id">) {
  return [
    lockOrder(pipe, tenant, order_id),
    lockOpenSession(pipe, tenant, order_id),
    lockHeldParts(pipe, tenant, order_id),
    findNow(pipe),
  ] as const;
}

/**
 * The checks of every method before a payment starts. Throws order_already_paid, session_active, order_state_conflict and
 * unsupported_currency.
 */
export function checkStart(tx: Tx, ctx: Ctx, request: StartRequest & { start: Start }): Prepared {
  const { method, start } = request;
  const [order, open, held, now] = start;
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  const pinned = { ...ctx, now: () => new Date(now) };
  const amount_minor = order.amount_minor - held.reduce((sum, exception) => sum + exception.amount_minor, 0);
  const closeOther = async () => (open === null ? undefined : closeOpen(tx, { open, now, closed: request.closed }));
  if (open !== null && !request.closed.has(open.id) && isReusable(open, { gateway: method.gateway, amount_minor, now }))
    return { pinned, order, amount_minor, same: open, closeOther };
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "pending_verify") throw orderErrors.session_active();
  if (order.status !== "unpaid" || order.expires_at <= now) throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  refuseCurrency(method, { currency: order.currency, param: "gateway" });
  return { pinned, order, amount_minor, same: null, closeOther };
}

/**
 * An open session past its time is replaced, and so is one that asks for another amount than is owed, unless a payment was reported on it.
 */
function isReusable(open: SessionRow, { gateway, amount_minor, now }: { gateway: string; amount_minor: number; now: Date }): boolean {
  return open.gateway === gateway && (open.status !== "pending" || (open.expires_at > now && open.amount_minor === amount_minor));
}

/** Ends an open session for another method's. Throws session_active and OpenAtProvider. */
export async function closeOpen(tx: Tx, given: { open: SessionRow; now: Date; closed: ClosedSessions }): Promise<void> {
  const { open, now, closed } = given;
  await detachFromProvider(tx, open, closed);
  const ended = await updateSession(tx, open, { from: ["pending"], to: open.expires_at <= now ? "expired" : "canceled" });
  if (ended === null) throw orderErrors.session_active();
}

/**
 * Notes that nothing more is expected of an open session's provider. A payment is closed there first: until then the buyer could still pay
 * it. One that its provider can't stop from being paid is polled until it ends. Throws OpenAtProvider.
 */
export async function detachFromProvider(tx: Tx, open: SessionRow, closed: ClosedSessions): Promise<void> {
  if (open.method_data?.type !== "gateway") return;
  const payment = await findGatewayPayment(tx, open, open.id);
  if (payment === null || payment.status === "done") return;
  if (!closed.has(open.id)) throw new OpenAtProvider(open);
  if (closed.get(open.id) === "payable") return;
  await updateGatewayPayment(tx, payment, { from: ["creating", "open", "unknown"], to: "done" });
}
