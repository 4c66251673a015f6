import { recordAudit } from "#audit/index.ts";
import { emit, type NewEvent } from "#events/index.ts";
import { type NewTransfer, recordTransfers, type Transaction } from "#ledger/index.ts";
import { after, type Ctx, isUniqueViolation, known, type Pipe, pipeline, type Sent, type Tenant, type Tx, trySavepoint } from "#platform/index.ts";
import { exceptionEvent, orderEvent, transactionEvent } from "../order-events.ts";
import { updateExceptionResolved } from "../rows/exceptions.sql.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { updateOpenSessions, updateSession } from "../rows/sessions.sql.ts";
import { updateSubmittedVoucher } from "../rows/vouchers.sql.ts";
import type { ExceptionRow, OrderFlag, OrderRow, SessionRow } from "../shapes.ts";
import { releaseMoney } from "./hold-money.ts";
import { thankBuyer } from "./thank-buyer.ts";

/** A part of what pays an order: money that came in, now or earlier, or what was never asked for or is forgiven. */
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
  /** What came beyond its amount. */
  excessMinor: number;
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
  const { order } = payment;
  if (order.status === "unpaid" || order.status === "pending_verify") return movePaid(tx, ctx, { payment, moved: null });
  // Only an order that had ended can find its reference taken.
  const tried = await trySavepoint(
    tx,
    (inner) => movedBy(inner, payment),
    (error) => isUniqueViolation(error, "orders_reference"),
  );
  return tried.ok ? movePaid(tx, ctx, { payment, moved: tried.value }) : null;
}

/** Statements are carried out in the order in which they stand here. `moved` is the order where it was moved already. */
async function movePaid(tx: Tx, ctx: Ctx, { payment, moved: before }: { payment: Payment; moved: OrderRow | null }): Promise<OrderRow> {
  const { order, parts } = payment;
  const tenant: Tenant = { project_id: order.project_id, livemode: order.livemode };
  const held = parts.flatMap((part) => (part.released === undefined ? [] : [part.released]));
  const [moved, session, released, transactions, resolved] = await pipeline(tx, (pipe) => [
    before === null ? movedBy(pipe, payment) : known(pipe, before),
    closeSessions(pipe, ctx, payment),
    held.map((exception) => releaseMoney(pipe, ctx, exception)),
    recordTransfers(
      pipe,
      tenant,
      parts.map((part) => transferOf(ctx, payment, part)),
    ),
    applyHeld(pipe, ctx, payment),
  ]);
  const events = [
    ...paidEvents(moved, [...released, ...transactions]),
    ...resolved.flatMap((exception) => (exception === null ? [] : [exceptionEvent(exception, moved)])),
  ];
  const detail = { flags: moved.flags, gateway: payment.gateway, payment_session_id: session?.id ?? null, transactions: transactions.map((one) => one.id) };
  await pipeline(tx, (pipe) => [
    emit(pipe, ctx, { tenant, events }),
    recordAudit(pipe, { ctx, tenant, action: "order.paid", object_type: "order", object_id: moved.id, detail }),
  ]);
  await thankBuyer(tx, ctx, { order: moved, gateway: payment.gateway });
  return moved;
}

function movedBy<On extends Tx | Pipe>(tx: On, payment: Payment): Sent<On, OrderRow> {
  const moving = updateOrder(tx, payment.order, {
    from: ["unpaid", "pending_verify", "expired", "failed"],
    to: "paid",
    addFlags: payment.flags,
    // What was short is whole now, unless that it never will be was forgiven.
    dropFlags: payment.flags.includes("underpaid") ? [] : ["underpaid"],
    receivedMinor: payment.receivedMinor,
    heldMinor: payment.excessMinor,
    paidGateway: payment.gateway,
    failureCode: null,
    rejection: null,
  });
  return after(tx, moving, (moved) => {
    if (moved === null) throw new Error("a locked order changed under its lock");
    return moved;
  });
}

function closeSessions(pipe: Pipe, ctx: Ctx, payment: Payment): Sent<Pipe, SessionRow | null> {
  const { order, session, reviewed } = payment;
  const tenant: Tenant = order;
  const reviewedBy = reviewed ? ctx.actor.id : null;
  const closed =
    session === null
      ? known(pipe, null)
      : updateSession(pipe, session, {
          from: ["pending", "processing", "pending_verify", "failed", "expired", "canceled"],
          to: "succeeded",
          verified: true,
          ...(reviewedBy === null ? {} : { reviewedBy }),
        });
  updateSubmittedVoucher(pipe, tenant, { orderId: order.id, status: reviewed ? "approved" : "superseded", reviewedBy, reason: null });
  updateOpenSessions(pipe, tenant, { orderId: order.id, to: "canceled", except: session?.id ?? null });
  return closed;
}

function transferOf(ctx: Ctx, payment: Payment, part: Part): NewTransfer {
  const { order } = payment;
  return {
    id: ctx.id("txn"),
    kind: part.from === "shortfall" ? "adjustment" : "order_payment",
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

function applyHeld(pipe: Pipe, ctx: Ctx, payment: Payment): Sent<Pipe, ExceptionRow | null>[] {
  const how = { resolution: "applied", note: null, orderId: payment.order.id, by: ctx.actor.id } as const;
  return payment.applied.map((exception) => updateExceptionResolved(pipe, exception, how));
}

function paidEvents(order: OrderRow, transactions: Transaction[]): NewEvent[] {
  return [orderEvent("order.paid", order), ...transactions.map((transaction) => transactionEvent(transaction, order))];
}
