import { recordAudit } from "#audit/index.ts";
import { externalKey } from "#collection/index.ts";
import {
  type ExceptionRow,
  findLatestVoucher,
  lockHeldParts,
  lockHeldReceipts,
  type OrderRow,
  orderErrors,
  refuseUsedProof,
  requestedOf,
  type SessionRow,
  settle,
  type VoucherRow,
} from "#orders/index.ts";
import { type Ctx, decimalOf, platformErrors, type Tx } from "#platform/index.ts";
import { closeException, heldMoney } from "../exception/resolve-exception.ts";
import { findReleases, linkWaitingReceipt } from "../receipt/link-waiting.ts";
import { refuseContradicted } from "./refuse-contradicted.ts";
import type { ReviewInput } from "./review-input.ts";

interface Approval {
  order: OrderRow;
  session: SessionRow;
  /** The payment that the buyer was shown last. */
  shown: SessionRow | null;
  input: ReviewInput;
}

interface Assessed extends Approval {
  amountMinor: number;
  waiting: VoucherRow | null;
}

interface Approved {
  outcome: string;
  order: OrderRow;
  externalId: string;
}

/**
 * A person's yes to a payment of a locked order. Throws shortfall_unconfirmed for less than was asked, unless exactly what is missing is
 * confirmed, and order_state_conflict if what the wallets reported contradicts it.
 */
export async function approvePayment(tx: Tx, pinned: Ctx, given: Approval): Promise<OrderRow> {
  const { order, session, input } = given;
  const voucher = await findLatestVoucher(tx, order, order.id);
  const waiting = voucher?.status === "submitted" ? voucher : null;
  if (waiting !== null) await refuseUsedProof(tx, waiting);
  const assessed = { ...given, waiting, amountMinor: await amountOf(tx, { ...given, waiting }) };
  const settled = (await payFromReceipt(tx, pinned, assessed)) ?? (await settleReviewed(tx, pinned, assessed));
  await recordAudit(tx, {
    ctx: pinned,
    tenant: order,
    action: "order.approved",
    object_type: "order",
    object_id: order.id,
    detail: {
      outcome: settled.outcome,
      gateway: session.gateway,
      external_id: settled.externalId,
      received_amount_minor: assessed.amountMinor,
      ...(input.confirm_shortfall_minor === undefined ? {} : { confirmed_shortfall_minor: input.confirm_shortfall_minor }),
      ...(input.paid_at === undefined ? {} : { paid_at: input.paid_at }),
      voucher_id: waiting?.id ?? null,
      note: input.note ?? null,
    },
  });
  return settled.order;
}

/**
 * What the reviewer says came in; else what the buyer says, where that counts as full or is asked back as too little; else what is still
 * asked for.
 */
async function amountOf(tx: Tx, given: Approval & { waiting: VoucherRow | null }): Promise<number> {
  const { order, session, input, waiting } = given;
  if (input.received_amount_minor !== undefined) return input.received_amount_minor;
  const held = await lockHeldParts(tx, order, order.id);
  const owedMinor = order.amount_minor - held.reduce((sum, part) => sum + part.amount_minor, 0);
  const expectedMinor = requestedOf(session, owedMinor);
  // A buyer who reports a payment without a sum sent what the page asked for then, which a part payment may have changed since.
  const reported =
    waiting?.amount_minor ?? (session.reported_at !== null && session.amount_minor !== owedMinor ? session.payable_amount_minor : null);
  if (reported === null) return expectedMinor;
  if (reported <= owedMinor) return reported;
  const written = (minor: number) => `${decimalOf(minor, order.exponent)} ${order.currency}`;
  throw platformErrors.parameter_missing({
    param: "received_amount_minor",
    reason: "reported_differs",
    message: `The buyer reported ${written(reported)}, but ${written(expectedMinor)} was expected. Send the amount that arrived as received_amount_minor.`,
    fields: { reported_minor: reported, expected_minor: expectedMinor, currency: order.currency },
  });
}

const beforeOrderMs = 10 * 60_000;

/**
 * The receipt may have arrived before the payment was reported and be in suspense: then that money pays, and nothing is booked twice. Money
 * that names no order is only taken by its number, because an equal amount may be another order's.
 */
async function payFromReceipt(tx: Tx, pinned: Ctx, given: Assessed): Promise<Approved | null> {
  const { order, session, amountMinor, input } = given;
  const since = new Date(order.created_at.getTime() - beforeOrderMs);
  const number = input.external_transaction_id;
  const typed = number === undefined ? null : { number, key: externalKey(number) };
  const held = await lockHeldReceipts(tx, order, { gateway: session.gateway, amountMinor, currency: order.currency, since, typed });
  const [exception] = held;
  if (held.length !== 1 || exception === undefined) return null;
  const money = {
    ...(await heldMoney(tx, { exception, order })),
    session_id: session.id,
    source: "review",
    ...confirmationOf(input),
  } as const;
  const settled = await settle(tx, pinned, { tenant: order, money, from: exception });
  await closeException(tx, pinned, { exception, order, input: { action: "accept", note: input.note ?? null } });
  return { outcome: settled.outcome, order: settled.order ?? order, externalId: exception.external_id };
}

async function settleReviewed(tx: Tx, pinned: Ctx, given: Assessed): Promise<Approved> {
  const { order, session, shown, amountMinor, waiting, input } = given;
  await refuseContradicted(tx, { session, shown, amountMinor, number: input.external_transaction_id });
  const externalId = input.external_transaction_id ?? `manual:${waiting?.id ?? session.id}`;
  const occurred_at = input.paid_at ?? waiting?.paid_at ?? session.reported_at ?? pinned.now();
  const settled = await settle(tx, pinned, {
    tenant: order,
    money: {
      order_id: order.id,
      session_id: session.id,
      gateway: session.gateway,
      external_id: externalId,
      amount_minor: amountMinor,
      currency: session.currency,
      source: "review",
      occurred_at,
      attempt: await findReleases(tx, session, externalId),
      ...confirmationOf(input),
    },
  });
  if (settled.repeat) throw alreadyBooked(settled.exception);
  await linkWaitingReceipt(tx, pinned, { session, amountMinor, externalId, occurredAt: occurred_at });
  return { outcome: settled.outcome, order: settled.order ?? order, externalId };
}

/** A reviewer who accepts less as the full amount, or more than is owed, must confirm it: a typo is easily overlooked next to a proof. */
function confirmationOf(input: ReviewInput) {
  return {
    forgives: { upToMinor: 0, confirmedMinor: input.confirm_shortfall_minor ?? null },
    confirmedExcessMinor: input.confirm_excess_minor ?? null,
  };
}

function alreadyBooked(exception: ExceptionRow | null): Error {
  const param = "external_transaction_id";
  if (exception === null) return orderErrors.review_exists({ param, message: "A payment with this transfer number is already booked." });
  const message = "The payment with this transfer number is an open exception. Resolve it there for this order.";
  return orderErrors.review_exists({ param, message, fields: { exception_id: exception.id } });
}
