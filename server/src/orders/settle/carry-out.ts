import { type AuditEntry, recordAudits } from "#audit/index.ts";
import { emitAll, type NewEvent } from "#events/index.ts";
import { recordTransfers, reverseTransfer, type Transaction } from "#ledger/index.ts";
import { type Ctx, pipeline, type Tenant, type Tx } from "#platform/index.ts";
import { exceptionEvent, orderEvent, sessionEvent, transactionEvent } from "../order-events.ts";
import { insertExceptions, updateExceptionResolved } from "../rows/exceptions.sql.ts";
import { updateOrders } from "../rows/orders.sql.ts";
import { insertSessions, updateSessions, updateSessionsOfOrders } from "../rows/sessions.sql.ts";
import { updateSubmittedVouchers } from "../rows/vouchers.sql.ts";
import type { ExceptionRow, OrderRow, SessionRow } from "../shapes.ts";
import type { Settled } from "./arrival.ts";
import type { Plan } from "./plan.ts";
import { thankBuyers } from "./thank-buyer.ts";

/** One executed plan. */
interface Done {
  plan: Plan;
  order: OrderRow | null;
  /** The updated session. */
  session: SessionRow | null;
  /** The released transfers, then the booked ones. */
  transactions: { released: Transaction[]; booked: Transaction[] };
  resolved: ExceptionRow[];
  holding: { exception: ExceptionRow; transaction: Transaction } | null;
}

/**
 * Writes plans for different orders: every order, session, proof, transfer and case of them in one go, then their events and audit rows.
 */
export async function carryOut(tx: Tx, plans: readonly Plan[]): Promise<Settled[]> {
  const [first] = plans;
  if (first === undefined) return [];
  const done = await writeAll(tx, plans);
  const events = done.flatMap((one) => eventsOf(one).map((event) => ({ ...event, tenant: one.plan.arrival.tenant })));
  await pipeline(tx, (pipe) => [emitAll(pipe, first.arrival.ctx, events), recordAudits(pipe, done.flatMap(auditsOf))]);
  await thankBuyers(tx, done.flatMap(paidOf));
  return done.map(({ plan, order, holding }) => ({ outcome: plan.outcome, repeat: false, order, exception: holding?.exception ?? null }));
}

/** Statements run in this order. Rows that every settlement writes are one statement; rows that few write are one each. */
async function writeAll(tx: Tx, plans: readonly Plan[]): Promise<Done[]> {
  const releases = plans.flatMap((plan) => plan.releases);
  const applied = plans.flatMap((plan) => plan.applied.map((exception) => ({ exception, ...applyingOf(plan) })));
  const holdings = present(plans.map((plan) => plan.holding));
  const [orders, sessions, released, transactions, exceptions, resolved] = await pipeline(tx, (pipe) => {
    insertSessions(pipe, plans.flatMap(openedBy));
    const moved = updateOrders(pipe, present(plans.map((plan) => plan.order)));
    // Before the session that was paid, which remains the order's current one: the last that changed.
    updateSessionsOfOrders(pipe, present(plans.map((plan) => plan.closing)));
    const movedSessions = updateSessions(pipe, present(plans.map((plan) => plan.session)));
    updateSubmittedVouchers(pipe, present(plans.map((plan) => plan.proof)));
    return [
      moved,
      movedSessions,
      releases.map(({ exception, reversal }) => reverseTransfer(pipe, exception, reversal)),
      recordTransfers(pipe, plans.flatMap(transfersOf)),
      insertExceptions(
        pipe,
        holdings.map(({ exception }) => exception),
      ),
      applied.map(({ exception, how }) => updateExceptionResolved(pipe, exception, how)),
    ];
  });
  const written = {
    orders: byKey(orders),
    sessions: byKey(sessions),
    transactions: byKey([...released, ...transactions]),
    exceptions: byKey([...exceptions, ...resolved.filter((row) => row !== null)]),
  };
  return plans.map((plan) => doneOf(plan, written));
}

interface Written {
  orders: Map<string, OrderRow>;
  sessions: Map<string, SessionRow>;
  transactions: Map<string, Transaction>;
  exceptions: Map<string, ExceptionRow>;
}

function doneOf(plan: Plan, written: Written): Done {
  const { arrival, holding } = plan;
  const { tenant } = arrival;
  const booked = (id: string) => found(written.transactions, { ...tenant, id }, "a transfer was not booked");
  return {
    plan,
    order:
      plan.order === null
        ? (plan.moved ?? arrival.order)
        : found(written.orders, plan.order.order, "a locked order changed under its lock"),
    session: plan.session === null ? null : (written.sessions.get(keyOf(plan.session.session)) ?? null),
    transactions: {
      released: plan.releases.map(({ reversal }) => booked(reversal.id)),
      booked: plan.transfers.map(({ id }) => booked(id)),
    },
    resolved: plan.applied.map((exception) => found(written.exceptions, exception, "a locked exception changed under its lock")),
    holding:
      holding === null
        ? null
        : { exception: found(written.exceptions, holding.exception, "exception not inserted"), transaction: booked(holding.transfer.id) },
  };
}

function applyingOf({ arrival }: Plan) {
  return { how: { resolution: "applied", note: null, orderId: arrival.order?.id ?? null, by: arrival.ctx.actor.id } as const };
}

function openedBy({ arrival }: Plan): SessionRow[] {
  return arrival.isNewSession && arrival.session !== null ? [arrival.session] : [];
}

function transfersOf({ arrival, transfers, holding }: Plan) {
  return [...transfers, ...(holding === null ? [] : [holding.transfer])].map((transfer) => ({ ...transfer, tenant: arrival.tenant }));
}

function eventsOf({ plan, order, session, transactions, resolved, holding }: Done): NewEvent[] {
  const before = plan.arrival.order;
  const events = before === null ? [] : openedBy(plan).map((opened) => sessionEvent("payment.session.created", before, opened));
  if (plan.outcome === "paid" && order !== null && before?.status !== "paid") events.push(orderEvent("order.paid", order));
  if (plan.outcome === "underpaid" && order !== null && session !== null)
    events.push(sessionEvent("payment.session.failed", order, session));
  for (const transaction of [...transactions.released, ...transactions.booked]) events.push(transactionEvent(transaction, order));
  for (const exception of resolved) events.push(exceptionEvent(exception, order));
  if (holding !== null) {
    const { exception, transaction } = holding;
    events.push(exceptionEvent(exception, order), transactionEvent(transaction, order, order?.id ?? exception.id));
  }
  return events;
}

function auditsOf({ plan, order, session, transactions, holding }: Done): AuditEntry[] {
  const { ctx, tenant, money } = plan.arrival;
  const entries: AuditEntry[] = [];
  if (plan.outcome === "paid" && order !== null) {
    const ids = transactions.booked.map(({ id }) => id);
    const detail = { flags: order.flags, gateway: money.gateway, payment_session_id: session?.id ?? null, transactions: ids };
    entries.push({ ctx, tenant, action: "order.paid", object_type: "order", object_id: order.id, detail });
  }
  if (holding !== null) {
    const { id, kind, order_id } = holding.exception;
    entries.push({
      ctx,
      tenant,
      action: "payment.exception_opened",
      object_type: "payment_exception",
      object_id: id,
      detail: { kind, order_id },
    });
  }
  return entries;
}

function paidOf({ plan, order }: Done): { ctx: Ctx; order: OrderRow; gateway: string }[] {
  const { ctx, money, order: before } = plan.arrival;
  // A reversed payment already has its receipt.
  return plan.outcome === "paid" && order !== null && before?.status !== "paid" ? [{ ctx, order, gateway: money.gateway }] : [];
}

type Keyed = Tenant & { id: string };

function keyOf({ project_id, livemode, id }: Keyed): string {
  return `${project_id} ${livemode} ${id}`;
}

function byKey<Row extends Keyed>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function found<Row>(rows: Map<string, Row>, key: Keyed, otherwise: string): Row {
  const row = rows.get(keyOf(key));
  if (row === undefined) throw new Error(otherwise);
  return row;
}

function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null);
}
