import { emit, type NewEvent } from "#events/index.ts";
import { recordAudit } from "#identity/index.ts";
import { type NewTransfer, recordTransfers, type Transaction } from "#ledger/index.ts";
import { type Ctx, isUniqueViolation, type Tenant, type Tx, trySavepoint } from "#platform/index.ts";
import { updateExceptionResolved } from "../exception/sql.ts";
import { updateOrder } from "../order/sql.ts";
import { exceptionEvent, orderEvent, transactionEvent } from "../order-events.ts";
import { updateOpenSessions, updateSession } from "../session/sql.ts";
import type { ExceptionRow, OrderFlag, OrderRow, SessionRow } from "../shapes.ts";
import { updateSubmittedVoucher } from "../voucher/sql.ts";
import { releaseMoney } from "./hold-money.ts";

/** A part of what pays an order: money that came in, now or earlier, or a shortfall that is granted. */
export interface Part {
  from: "custody" | "shortfall";
  amountMinor: number;
  gateway: string;
  /** Names the cause in the ledger; the same cause is never booked twice. */
  source: string;
  externalId: string | null;
  /** The case that held this money until now. */
  released?: ExceptionRow;
}

export interface Payment {
  order: OrderRow;
  session: SessionRow | null;
  parts: Part[];
  /** Held money that these parts use up. */
  applied: ExceptionRow[];
  receivedMinor: number;
  flags: OrderFlag[];
  /** A person's decision rather than a provider's proof. */
  reviewed: boolean;
  gateway: string;
}

/**
 * The one move of an order to paid: order, session, proof, ledger, audit and events together.
 * Answers null, with nothing changed, when the order's reference meanwhile belongs to another live order.
 */
export async function payOrder(tx: Tx, ctx: Ctx, payment: Payment): Promise<OrderRow | null> {
  const moved = await movePaid(tx, ctx, payment);
  if (moved === null) return null;
  const tenant = { project_id: moved.project_id, livemode: moved.livemode };
  const session = await closeSessions(tx, ctx, payment);
  const released: Transaction[] = [];
  for (const part of payment.parts) if (part.released !== undefined) released.push(await releaseMoney(tx, ctx, part.released));
  const transactions = await recordTransfers(
    tx,
    tenant,
    payment.parts.map((part) => transferOf(ctx, payment, part)),
  );
  const resolved = await applyHeld(tx, ctx, payment);
  await emit(tx, ctx, {
    tenant,
    events: [...paidEvents(moved, [...released, ...transactions]), ...resolved.map((exception) => exceptionEvent(exception, moved))],
  });
  await recordAudit(tx, {
    ctx,
    tenant,
    action: "order.paid",
    object_type: "order",
    object_id: moved.id,
    detail: { flags: moved.flags, gateway: payment.gateway, payment_session_id: session?.id ?? null, transactions: transactions.map((one) => one.id) },
  });
  return moved;
}

async function movePaid(tx: Tx, ctx: Ctx, payment: Payment): Promise<OrderRow | null> {
  const { order } = payment;
  const move = (inner: Tx) =>
    updateOrder(inner, order, {
      from: ["unpaid", "pending_verify", "expired", "failed"],
      to: "paid",
      now: ctx.now(),
      addFlags: payment.flags,
      dropFlags: ["underpaid"],
      receivedMinor: payment.receivedMinor,
      failureCode: null,
      rejection: null,
    });
  if (order.status === "unpaid" || order.status === "pending_verify") return required(await move(tx));
  const tried = await trySavepoint(tx, move, (error) => isUniqueViolation(error, "orders_reference"));
  return tried.ok ? required(tried.value) : null;
}

async function closeSessions(tx: Tx, ctx: Ctx, payment: Payment): Promise<SessionRow | null> {
  const { order, session, reviewed } = payment;
  const now = ctx.now();
  const tenant: Tenant = order;
  const reviewedBy = reviewed ? ctx.actor.id : null;
  await updateSubmittedVoucher(tx, tenant, { orderId: order.id, status: reviewed ? "approved" : "superseded", reviewedBy, reason: null, now });
  await updateOpenSessions(tx, tenant, { orderId: order.id, to: "canceled", except: session?.id ?? null, now });
  if (session === null) return null;
  return updateSession(tx, session, {
    from: ["pending", "processing", "pending_verify", "failed", "expired", "canceled"],
    to: "succeeded",
    now,
    verified: true,
    ...(reviewedBy === null ? {} : { reviewedBy }),
  });
}

function transferOf(ctx: Ctx, payment: Payment, part: Part): NewTransfer {
  const { order } = payment;
  return {
    id: ctx.id("txn"),
    kind: "order_payment",
    source: part.source,
    debit: part.from,
    credit: "sales",
    amount_minor: part.amountMinor,
    currency: order.currency,
    gateway: part.gateway,
    order_id: order.id,
    reference: order.reference,
    payment_session_id: payment.session?.id ?? null,
    external_transaction_id: part.externalId,
    description: order.description,
    created_by: ctx.actor.id,
    now: ctx.now(),
  };
}

async function applyHeld(tx: Tx, ctx: Ctx, payment: Payment): Promise<ExceptionRow[]> {
  const resolved: ExceptionRow[] = [];
  for (const exception of payment.applied) {
    const row = await updateExceptionResolved(tx, exception, {
      resolution: "applied",
      note: null,
      orderId: payment.order.id,
      by: ctx.actor.id,
      now: ctx.now(),
    });
    if (row !== null) resolved.push(row);
  }
  return resolved;
}

function paidEvents(order: OrderRow, transactions: Transaction[]): NewEvent[] {
  return [orderEvent("order.paid", order), ...transactions.map((transaction) => transactionEvent(transaction, order))];
}

function required(order: OrderRow | null): OrderRow {
  if (order === null) throw new Error("a locked order changed under its lock");
  return order;
}
