import { recordAudit } from "#audit/index.ts";
import { emit, type NewEvent } from "#events/index.ts";
import type { DisputeSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, type Tenant, type Tx } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { disputeEvent, exceptionEvent, transactionEvent } from "../order-events.ts";
import { listBookings } from "../rows/bookings.sql.ts";
import {
  insertDispute,
  listEffectiveDisputes,
  lockCountedDisputes,
  lockDispute,
  updateDispute,
  updateDisputeReported,
} from "../rows/disputes.sql.ts";
import { updateExceptionReleased } from "../rows/exceptions.sql.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { updateRefundsHurried } from "../rows/gateway-refunds.sql.ts";
import { findOrderRow, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { lockReceived } from "../rows/received.sql.ts";
import type { GatewayPaymentRow, OrderRow, RefundRow } from "../shapes.ts";
import { bookDispute } from "./book-dispute.ts";
import { countedOf, feeAfter, isCountedAs, isEffective, lostAt, readNews, stepsOf } from "./decide-dispute.ts";
import { openDisputeCase } from "./open-dispute-case.ts";
import { type NetDispute, withoutRefunds } from "./without-refunds.ts";

interface Reported {
  tenant: Tenant;
  /** The account that reported it. */
  credentialId: string;
  gateway: string;
  /** The disputed payment; null for one of ours that isn't in the database. */
  payment: Pick<GatewayPaymentRow, "order_id" | "payment_session_id"> | null;
  dispute: DisputeSnapshot;
}

/**
 * Stores a provider's report of a dispute, in one transaction under the order's lock: the dispute, its debit or credit, the order's flag,
 * the exception, the events and the audit row. A repeated report, or one that is older than the known state, changes nothing.
 */
export function applyDispute(ctx: Ctx, reported: Reported): Promise<"applied" | "nothing"> {
  const { tenant, credentialId, payment } = reported;
  return ctx.transactUnclaimed(async (tx) => {
    const order = payment === null ? null : await lockOrder(tx, tenant, payment.order_id);
    const known = await lockDispute(tx, tenant, { credentialId, providerDisputeId: reported.dispute.providerDisputeId });
    const given = { known, dispute: reported.dispute };
    const isOurs = payment !== null;
    const dispute = isOurs ? await withoutRefunds(tx, { ...tenant, ...payment }, given) : { ...reported.dispute, counted: null };
    const report = { ...reported, dispute };
    const news = readNews(known, dispute);
    if (news === "old") return "nothing";
    const where = order === null ? nowhere : await findMoney(tx, { report, order });
    if (known !== null && news === "same") await updateDisputeReported(tx, known, dispute.occurredAt);
    // A repeated report may find money that wasn't booked before, and one of a loss is stored also if refunds leave nothing of it.
    const isPlaced = known !== null && known.in_books === where.in_books && known.of_order === where.of_order;
    const isSame = isPlaced && news === "same" && isCountedAs(known, dispute.counted);
    if (!isSame) await follow(tx, await atNow(ctx, tx), { report, order, known, where });
    return "applied";
  });
}

/** Stores the disputes that a provider reported together with their payment. */
export async function applyDisputes(ctx: Ctx, payment: GatewayPaymentRow, disputes: readonly DisputeSnapshot[] = []): Promise<void> {
  const { project_id, livemode, gateway, credential_id: credentialId } = payment;
  for (const dispute of disputes) await applyDispute(ctx, { tenant: { project_id, livemode }, credentialId, gateway, payment, dispute });
}

/**
 * Corrects what lost disputes of a refund's payment took besides refunds, because this one succeeded or failed since: their reports arrived
 * first. The order is locked.
 */
export async function recountDisputes(tx: Tx, pinned: Ctx, refund: RefundRow): Promise<void> {
  const { project_id, livemode, order_id, payment_session_id } = refund;
  if (order_id === null || payment_session_id === null) return;
  const payment = { project_id, livemode, order_id, payment_session_id };
  for (const known of await lockCountedDisputes(tx, payment)) {
    const dispute = await withoutRefunds(tx, payment, { known, dispute: lastReport(known) });
    if (dispute.state === known.status && dispute.amount.amount_minor === known.amount_minor) continue;
    const { credential_id: credentialId, gateway, in_books, of_order } = known;
    const report = { tenant: { project_id, livemode }, credentialId, gateway, payment, dispute };
    await follow(tx, pinned, { report, order: await findOrderRow(tx, payment, order_id), known, where: { in_books, of_order } });
  }
}

/** What the provider of a dispute last reported: how much the buyer got back in all. */
function lastReport(known: DisputeRow): DisputeSnapshot {
  const counted = countedOf(known);
  if (counted === null) throw new Error("a counted dispute has no count");
  return {
    providerDisputeId: known.provider_dispute_id,
    payment: { reference: null, providerId: null, captureId: null },
    state: "lost",
    amount: { amount_minor: counted.minor, currency: known.currency },
    refundedSince: counted.since,
    reason: known.reason,
    occurredAt: known.told_at,
  };
}

interface Held {
  report: Reported & { dispute: NetDispute };
  order: OrderRow | null;
  known: DisputeRow | null;
  where: Place;
}

/** Whether the disputed money is booked, and whether as the order's payment. */
type Place = Pick<DisputeRow, "in_books" | "of_order">;
const nowhere: Place = { in_books: false, of_order: false };

async function follow(tx: Tx, pinned: Ctx, { report, order, known, where }: Held): Promise<void> {
  const { dispute: reported } = report;
  const steps = stepsOf(known, reported, where.in_books);
  const next: DisputeRow = {
    ...(known ?? newDispute(pinned, report)),
    ...partOf(report, order),
    ...reportedPart(known, reported),
    ...where,
  };
  const { dispute, transactions } = await bookDispute(tx, pinned, { known, next, order, steps });
  const events: NewEvent[] = [];
  if (isEffective(dispute.status)) dispute.exception_id = await openDisputeCase(tx, pinned, { known, dispute, order });
  else events.push(...(await closeCase(tx, pinned, { dispute, order })));
  await (known === null ? insertDispute(tx, dispute) : updateDispute(tx, dispute));
  const after = order === null ? null : await flagOrder(tx, order);
  const name = reported.state === "inquiry" ? "opened" : reported.state;
  const isMove = known?.status !== dispute.status;
  // Refunds of the payment waited for its end.
  if (known?.status === "opened" && isMove && report.payment !== null)
    await updateRefundsHurried(tx, { ...report.tenant, ...report.payment }, "open");
  if (isMove) events.push(disputeEvent(`dispute.${name}`, dispute, after));
  await emit(tx, pinned, { tenant: report.tenant, events: [...transactions.map((one) => transactionEvent(one, after)), ...events] });
  const { provider_dispute_id, gateway, status, amount_minor, currency, reason, in_books, order_id, exception_id } = dispute;
  const detail = { provider_dispute_id, gateway, status, amount_minor, currency, reason, in_books, order_id, exception_id };
  const action = isMove ? `dispute.${name}` : "dispute.updated";
  await recordAudit(tx, { ctx: pinned, tenant: report.tenant, action, object_type: "dispute", object_id: dispute.id, detail });
}

function newDispute(pinned: Ctx, { tenant, gateway, credentialId, dispute }: Held["report"]): DisputeRow {
  const { project_id, livemode } = tenant;
  const now = pinned.now();
  return {
    ...{ project_id, livemode, id: pinned.id("dsp"), gateway, credential_id: credentialId, provider_dispute_id: dispute.providerDisputeId },
    ...{ order_id: null, payment_session_id: null, in_books: false, of_order: false, reason: null },
    ...{
      transaction_id: null,
      fee_transaction_id: null,
      takings: 0,
      fee_takings: 0,
      exception_id: null,
      version: 1,
      created_at: now,
      updated_at: now,
    },
    ...reportedPart(null, dispute),
  };
}

function partOf({ payment }: Reported, order: OrderRow | null): Pick<DisputeRow, "order_id" | "payment_session_id"> | object {
  return payment === null || order === null ? {} : { order_id: order.id, payment_session_id: payment.payment_session_id };
}

function reportedPart(known: DisputeRow | null, reported: NetDispute) {
  const { state: status, amount, occurredAt: told_at, counted } = reported;
  const fee = feeAfter(known, reported);
  const isLost = status === "lost" || counted !== null;
  const ended_at = status === "won" && !isLost ? told_at : (lostAt(known) ?? (isLost ? told_at : null));
  const counts = { counted_minor: counted?.minor ?? null, counted_since: counted?.since ?? null };
  const fees = { fee_minor: fee?.amount_minor ?? null, fee_currency: fee?.currency ?? null };
  return {
    status,
    amount_minor: amount.amount_minor,
    currency: amount.currency,
    reason: reported.reason ?? known?.reason ?? null,
    ...{ ...fees, ...counts, counted_version: counted === null ? null : (known?.version ?? 0) + 1 },
    told_at,
    ended_at,
  };
}

/** The account of the disputed money. An amount in another currency isn't that money. */
async function findMoney(tx: Tx, given: { report: Reported; order: OrderRow }): Promise<Place> {
  const { report, order } = given;
  const { payment_session_id = "" } = report.payment ?? {};
  const payment = await findGatewayPayment(tx, order, payment_session_id);
  const number = payment?.settled_id ?? null;
  const piece =
    payment === null || number === null ? null : await lockReceived(tx, order, { gateway: payment.gateway, externalId: number });
  if (piece === null || piece.currency !== report.dispute.amount.currency) return nowhere;
  const bookings = await listBookings(tx, order);
  return {
    in_books: true,
    of_order: bookings.some(({ gateway, external_id }) => gateway === piece.gateway && external_id === piece.external_id),
  };
}

/** A dispute that was won needs no decision. */
async function closeCase(tx: Tx, pinned: Ctx, { dispute, order }: { dispute: DisputeRow; order: OrderRow | null }): Promise<NewEvent[]> {
  if (dispute.exception_id === null) return [];
  const { project_id, livemode, exception_id: id } = dispute;
  const closed = await updateExceptionReleased(tx, { project_id, livemode, id }, { note: "dispute won", by: pinned.actor.id, from: [] });
  return closed === null ? [] : [exceptionEvent(closed, order)];
}

/** `disputed` while a dispute of the order is open or lost. A closed order keeps its closing time, and has no flag. */
async function flagOrder(tx: Tx, order: OrderRow): Promise<OrderRow | null> {
  const hasEnded = order.status !== "paid" && order.status !== "unpaid" && order.status !== "pending_verify";
  if (hasEnded) return findOrderRow(tx, order, order.id);
  const isDisputed = (await listEffectiveDisputes(tx, order)).length > 0;
  return updateOrder(tx, order, {
    from: [order.status],
    to: order.status,
    ...(isDisputed ? { addFlags: ["disputed"] } : { dropFlags: ["disputed"] }),
  });
}
