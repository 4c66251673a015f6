import type { NewReversal, NewTransfer } from "#ledger/index.ts";
import type { Ctx } from "#platform/index.ts";
import type { OrderMove, OrderMoving } from "../rows/orders.sql.ts";
import type { SessionMove, SessionMoving, SessionsClosing } from "../rows/sessions.sql.ts";
import type { ProofDecision } from "../rows/vouchers.sql.ts";
import { type ExceptionKind, type ExceptionRow, type OrderFlag, type OrderRow, owesAgain, type SessionRow } from "../shapes.ts";
import { type Arrival, causeOf, type Holding, holdingOf, isDecided, type Settled, sumOf, transferOf } from "./arrival.ts";
import type { Verdict } from "./decide.ts";

/** All writes of one payment, so that those of a group are written together. */
export interface Plan {
  arrival: Arrival;
  outcome: Settled["outcome"];
  /** Null if the order doesn't change, or was updated already. */
  order: OrderMoving | null;
  moved: OrderRow | null;
  session: SessionMoving | null;
  proof: ProofDecision | null;
  closing: SessionsClosing | null;
  releases: Release[];
  transfers: NewTransfer[];
  /** Earlier part payments that are used up. */
  applied: ExceptionRow[];
  holding: Holding | null;
}

/** Held money that leaves suspense or excess; its new booking is in the same transaction. */
export interface Release {
  exception: ExceptionRow;
  reversal: NewReversal;
}

export type Paying = Arrival & { order: OrderRow; verdict: Extract<Verdict, { kind: "pay" }> };

/**
 * The one move of an order to paid: with it go its session, proof, transfers, audit and events. `moved` is the order where it was moved
 * already.
 */
export function planPaid(paying: Paying, given: { moved: OrderRow | null; exceptionId: string }): Plan {
  const { ctx, order, session, verdict, held, from } = paying;
  const reviewed = isDecided(paying.money);
  const reviewedBy = reviewed ? ctx.actor.id : null;
  const releases = [...(from === null ? [] : [from]), ...held].map((exception) => releaseOf(ctx, exception));
  const excess = { id: given.exceptionId, kind: "overpaid", reason: "excess", amountMinor: verdict.excessMinor } as const;
  return {
    arrival: paying,
    outcome: "paid",
    order: given.moved === null ? { order, move: paidMove(paying) } : null,
    moved: given.moved,
    session:
      session === null
        ? null
        : movingSession(session, {
            from: ["pending", "processing", "pending_verify", "failed", "expired", "canceled"],
            to: "succeeded",
            verified: true,
            ...(reviewedBy === null ? {} : { reviewedBy }),
          }),
    proof: { order, status: reviewed ? "approved" : "superseded", reviewedBy, reason: null },
    closing: closingSessions({ order, from: ["pending", "processing", "pending_verify"], to: "canceled", except: session?.id ?? null }),
    releases,
    transfers: paidTransfers(paying),
    applied: held,
    holding: verdict.excessMinor === 0 ? null : holdingOf(paying, excess),
  };
}

/** How this money moves an order to paid. */
export function paidMove({ order, money, verdict, held }: Paying): OrderMove {
  const flags: OrderFlag[] = [];
  if (verdict.late) flags.push("paid_late");
  if (verdict.excessMinor > 0) flags.push("overpaid");
  if (verdict.forgivenMinor > 0) flags.push("underpaid");
  if (isDecided(money)) flags.push("manually_verified");
  if (money.source === "receipt") flags.push("auto_matched");
  return movingOrder({
    from: owesAgain(order) ? ["paid"] : ["unpaid", "pending_verify", "expired", "failed"],
    to: "paid",
    addFlags: flags,
    // A part payment is complete now, unless the rest was forgiven.
    dropFlags: flags.includes("underpaid") ? ["payment_reversed"] : ["underpaid", "payment_reversed"],
    receivedMinor: verdict.dueMinor + sumOf(held),
    heldMinor: verdict.excessMinor,
    paidGateway: money.gateway,
    failureCode: null,
    rejection: null,
  });
}

/** What pays an order: this money, held money, and amounts that weren't requested or are forgiven. */
function paidTransfers(paying: Paying): NewTransfer[] {
  const { money, verdict, held } = paying;
  const cause = causeOf(paying);
  const paid = { kind: "order_payment", credit: "sales" } as const;
  const transfers: NewTransfer[] = [{ ...orderTransfer(paying), ...paid, source: cause, amount_minor: verdict.dueMinor }];
  for (const { id, amount_minor, gateway, external_id } of held)
    transfers.push({
      ...orderTransfer(paying),
      ...paid,
      source: `applied:${id}`,
      amount_minor,
      gateway,
      external_transaction_id: external_id,
    });
  if (verdict.shortfallMinor > 0)
    transfers.push({
      ...orderTransfer(paying),
      kind: "adjustment",
      debit: "shortfall",
      credit: "sales",
      source: `shortfall:${cause}`,
      amount_minor: verdict.shortfallMinor,
      gateway: money.gateway,
      external_transaction_id: null,
    });
  return transfers;
}

function orderTransfer({ order, session, ...arrival }: Paying) {
  const { currency, description } = order;
  return { ...transferOf({ ...arrival, order, session }), currency, description, payment_session_id: session?.id ?? null };
}

/**
 * Money short of the amount is held; the order can still be paid the rest, or a person accepts it. An order that waits for a review of
 * another payment keeps waiting.
 */
export function planShort(arrival: Arrival & { order: OrderRow }, exceptionId: string): Plan {
  const { ctx, order, money, session, held } = arrival;
  const reviewedBy = isDecided(money) ? ctx.actor.id : null;
  const to = order.status === "pending_verify" && session?.status === "pending_verify" ? "unpaid" : order.status;
  const heldMinor = sumOf(held) + money.amount_minor;
  return {
    ...nothing(arrival),
    outcome: "underpaid",
    order: { order, move: movingOrder({ from: [order.status], to, addFlags: ["underpaid"], heldMinor }) },
    session:
      session === null
        ? null
        : movingSession(session, {
            from: ["pending", "processing", "pending_verify"],
            to: "failed",
            failureCode: "underpaid",
            ...(reviewedBy === null ? {} : { reviewedBy }),
          }),
    proof: to === "pending_verify" ? null : { order, status: "superseded", reviewedBy, reason: null },
    // Any other open request for the order exceeds what is due now.
    closing: closingSessions({ order, from: ["pending"], to: "canceled", except: session?.id ?? null }),
    holding: holdingOf(arrival, { id: exceptionId, kind: "underpaid", reason: "short", amountMinor: money.amount_minor }),
  };
}

/** Money that pays nothing is held for a person; the order gets the flag that it was paid twice. */
export function planException(arrival: Arrival, given: { id: string; kind: ExceptionKind; reason: string }): Plan {
  const { order, money } = arrival;
  const move =
    order === null || given.kind !== "duplicate"
      ? null
      : movingOrder({ from: [order.status], to: order.status, addFlags: ["duplicate_payment"] });
  return {
    ...nothing(arrival),
    outcome: "exception",
    order: order === null || move === null ? null : { order, move },
    holding: holdingOf(arrival, { ...given, amountMinor: money.amount_minor }),
  };
}

/** Money beyond a paid order's amount becomes the merchant's income. */
export function planAccepted(arrival: Arrival & { from: ExceptionRow }): Plan {
  const { ctx, from, money } = arrival;
  const release = releaseOf(ctx, from);
  const own = { kind: "adjustment", credit: "sales", source: `kept:${from.id}`, amount_minor: money.amount_minor } as const;
  return { ...nothing(arrival), outcome: "kept", releases: [release], transfers: [{ ...transferOf(arrival), ...own }] };
}

/** How held money is released from suspense or excess. */
export function releaseOf(ctx: Ctx, exception: ExceptionRow): Release {
  if (exception.transaction_id === null) throw new Error("an exception that holds no money cannot release any");
  const reversal = {
    id: ctx.id("txn"),
    reverses: exception.transaction_id,
    source: `released:${exception.id}`,
    created_by: ctx.actor.id,
    now: ctx.now(),
  };
  return { exception, reversal };
}

function nothing(arrival: Arrival): Omit<Plan, "outcome"> {
  return {
    arrival,
    order: null,
    moved: null,
    session: null,
    proof: null,
    closing: null,
    releases: [],
    transfers: [],
    applied: [],
    holding: null,
  };
}

// A test reads the states passed to these three, and compares them with the tables of states.
const movingOrder = (move: OrderMove): OrderMove => move;
const movingSession = (session: SessionRow, move: SessionMove): SessionMoving => ({ session, move });
const closingSessions = (closing: SessionsClosing): SessionsClosing => closing;
