import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import { type NewTransfer, recordTransfer, reverseTransfer, type Transaction } from "#ledger/index.ts";
import type { Ctx, Pipe, Sent, Tenant, Tx } from "#platform/index.ts";
import { exceptionEvent, transactionEvent } from "../order-events.ts";
import { insertException, type NewException } from "../rows/exceptions.sql.ts";
import type { ExceptionKind, ExceptionRow, OrderRow, SessionRow } from "../shapes.ts";
import type { Money } from "./decide.ts";

/** Money on its way into the books, with what it met there. */
export interface Arrival {
  tenant: Tenant;
  money: Money;
  order: OrderRow | null;
  session: SessionRow | null;
  /** Earlier, short payments that are held for this order. */
  held: ExceptionRow[];
  /** The case that holds this very money, where it is in the books already. */
  from: ExceptionRow | null;
}

interface Holding extends Arrival {
  exception: ExceptionKind;
  reason: string;
  amountMinor: number;
}

/** The ledger's name for what brought this money. */
export function causeOf({ money, from }: Pick<Arrival, "money" | "from">): string {
  if (from !== null) return `applied:${from.id}`;
  const again = money.attempt === undefined || money.attempt === 0 ? "" : `#${money.attempt}`;
  return `${money.gateway}:${money.external_id}${again}`;
}

/** Books money that pays nothing yet, with the exception that keeps it in a person's sight. */
export async function holdMoney(tx: Tx, ctx: Ctx, given: Holding): Promise<ExceptionRow> {
  const { tenant, order } = given;
  const transaction = await recordTransfer(tx, tenant, heldTransfer(ctx, given));
  const exception = await insertException(tx, rowOf(ctx, given, transaction.id));
  await emit(tx, ctx, { tenant, events: [exceptionEvent(exception, order), transactionEvent(transaction, order, order?.id ?? exception.id)] });
  const detail = { kind: exception.kind, order_id: exception.order_id };
  await recordAudit(tx, { ctx, tenant, action: "payment.exception_opened", object_type: "payment_exception", object_id: exception.id, detail });
  return exception;
}

/** Takes held money back out of suspense or excess; what it is instead, the caller books in the same transaction. */
export function releaseMoney<On extends Tx | Pipe>(tx: On, ctx: Ctx, exception: ExceptionRow): Sent<On, Transaction> {
  if (exception.transaction_id === null) throw new Error("an exception that holds no money cannot release any");
  return reverseTransfer(tx, exception, {
    id: ctx.id("txn"),
    reverses: exception.transaction_id,
    source: `released:${exception.id}`,
    created_by: ctx.actor.id,
    now: ctx.now(),
  });
}

/** Money beyond a paid order's amount becomes the merchant's own income. */
export async function keepMoney(tx: Tx, ctx: Ctx, given: Arrival & { order: OrderRow; from: ExceptionRow }): Promise<void> {
  const { tenant, order, from, money } = given;
  const released = await releaseMoney(tx, ctx, from);
  const own = { kind: "adjustment", credit: "sales", source: `kept:${from.id}`, amount_minor: money.amount_minor } as const;
  const kept = await recordTransfer(tx, tenant, { ...transferOf(ctx, given), ...own });
  await emit(tx, ctx, { tenant, events: [released, kept].map((transaction) => transactionEvent(transaction, order)) });
}

function heldTransfer(ctx: Ctx, given: Holding): NewTransfer {
  const account = given.exception === "overpaid" ? "excess" : "suspense";
  return { ...transferOf(ctx, given), kind: account, credit: account, source: causeOf(given), amount_minor: given.amountMinor };
}

function transferOf(ctx: Ctx, { money, order }: Arrival): Omit<NewTransfer, "kind" | "credit" | "source" | "amount_minor"> {
  return {
    id: ctx.id("txn"),
    debit: "custody",
    currency: money.currency,
    gateway: money.gateway,
    order_id: order?.id ?? null,
    reference: order?.reference ?? null,
    payment_session_id: money.session_id,
    external_transaction_id: money.external_id,
    description: null,
    created_by: ctx.actor.id,
    now: ctx.now(),
  };
}

function rowOf(ctx: Ctx, given: Holding, transaction_id: string): NewException {
  const { tenant, money, order } = given;
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id: ctx.id("exc"),
    kind: given.exception,
    order_id: order?.id ?? null,
    payment_session_id: money.session_id,
    receipt_id: money.receipt_id ?? null,
    gateway: money.gateway,
    external_id: money.external_id,
    amount_minor: given.amountMinor,
    currency: money.currency,
    transaction_id,
    detail: { reason: given.reason, source: money.source, occurred_at: money.occurred_at, ...(given.from === null ? {} : { of: given.from.id }) },
    created_at: ctx.now(),
  };
}
