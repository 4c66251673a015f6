import { personalData } from "../session/method-data.ts";
import { type ExceptionKind, type OrderRow, owesAgain, type SessionRow } from "../shapes.ts";

/** A received payment, from any source. */
export interface Money {
  order_id: string | null;
  session_id: string | null;
  gateway: string;
  /** The provider's or the statement's own id, or `manual:…`; unique per gateway, so that a repeat is recognized. */
  external_id: string;
  amount_minor: number;
  currency: string;
  /** `link`: a person assigns a receipt to an order. `resolution`: a person assigns an exception's money to an order. */
  source: "review" | "resolution" | "link" | "simulation" | "receipt" | "callback";
  occurred_at: Date;
  receipt_id?: string | null;
  /** Its provider reports that all of it, or an unknown part, was refunded already. */
  isRefunded?: boolean;
  /** A person accepts this money as full although some is missing; undefined if the rest is still expected. */
  forgives?: Forgiveness;
  /** The confirmed excess amount; null if the person didn't confirm one, undefined if no person is involved. */
  confirmedExcessMinor?: number | null;
  /** How often this money was booked before and reversed. */
  attempt?: number;
}

export interface Forgiveness {
  /** The tolerated shortfall, which needs no confirmation. */
  upToMinor: number;
  /** The shortfall that the person confirmed; it must be exact. */
  confirmedMinor: number | null;
}

export type Verdict =
  | { kind: "pay"; dueMinor: number; excessMinor: number; shortfallMinor: number; forgivenMinor: number; late: boolean }
  | { kind: "underpaid" }
  | { kind: "unconfirmed"; expectedMinor: number; shortfallMinor: number }
  | { kind: "excess"; expectedMinor: number; excessMinor: number }
  | { kind: "exception"; exception: ExceptionKind; reason: string };

/**
 * What a piece of money does to an order. Pure: the order is locked, `heldMinor` is what earlier, short payments left in suspense for it. A
 * paid order whose payment was reversed owes its amount again. Money that doesn't clearly pay becomes an exception for a person; no money
 * is dropped.
 */
export function decide(given: { order: OrderRow | null; session: SessionRow | null; heldMinor: number; money: Money }): Verdict {
  const { order, money } = given;
  if (order === null) return { kind: "exception", exception: "unmatched", reason: "no_order" };
  if (order.currency !== money.currency) return { kind: "exception", exception: "mismatch", reason: "currency" };
  if (order.status === "paid" && !owesAgain(order)) return { kind: "exception", exception: "duplicate", reason: "order_paid" };
  if (order.status === "canceled") return { kind: "exception", exception: "late", reason: "order_canceled" };
  // The merchant would ship, and has nothing for it.
  if (money.isRefunded === true) return { kind: "exception", exception: "mismatch", reason: "refunded" };
  if (money.source === "receipt" && effectOf(order, money.occurred_at) === "late")
    return { kind: "exception", exception: "late", reason: "after_expiry" };
  const ended = order.status === "expired" || order.status === "failed";
  return weigh({ ...given, order, late: ended || isLateReport(order, given.session) });
}

/** Any amount from the requested to the due one counts as full; a personal receipt with another amount needs a person. */
function weigh(given: { order: OrderRow; session: SessionRow | null; heldMinor: number; money: Money; late: boolean }): Verdict {
  const { order, session, heldMinor, money, late } = given;
  const owedMinor = order.amount_minor - heldMinor;
  const requestedMinor = requestedOf(session, owedMinor);
  const missingMinor = Math.max(0, requestedMinor - money.amount_minor);
  const excessMinor = Math.max(0, money.amount_minor - owedMinor);
  if (money.source === "receipt" && missingMinor + excessMinor > 0) return { kind: "exception", exception: "mismatch", reason: "amount" };
  if (missingMinor > 0 && money.forgives === undefined) return { kind: "underpaid" };
  if (!isForgiven(missingMinor, money.forgives))
    return { kind: "unconfirmed", expectedMinor: requestedMinor, shortfallMinor: missingMinor };
  if (money.confirmedExcessMinor !== undefined && (money.confirmedExcessMinor ?? 0) !== excessMinor)
    return { kind: "excess", expectedMinor: owedMinor, excessMinor };
  const dueMinor = money.amount_minor - excessMinor;
  return { kind: "pay", dueMinor, excessMinor, shortfallMinor: owedMinor - dueMinor, forgivenMinor: missingMinor, late };
}

/** Confirming a different amount indicates a mistake, even if no confirmation was needed. */
function isForgiven(missingMinor: number, forgives: Forgiveness | undefined): boolean {
  if (forgives === undefined) return true;
  return forgives.confirmedMinor === null ? missingMinor <= forgives.upToMinor : missingMinor === forgives.confirmedMinor;
}

/** An order that was reported after its time waits for a person; if it is paid then, it is still paid late. */
function isLateReport(order: OrderRow, session: SessionRow | null): boolean {
  return order.status === "pending_verify" && session?.reported_at != null && session.reported_at > order.expires_at;
}

/**
 * What becomes of personal money that carries our mark. A transfer made in time pays although its order expired since; one made after the
 * order's time may be meant for something else, so a person looks at it first.
 */
export function effectOf(order: Pick<OrderRow, "status" | "flags" | "expires_at">, occurredAt: Date): "pays" | "duplicate" | "late" {
  if (order.status === "paid" && !owesAgain(order)) return "duplicate";
  if (order.status === "canceled" || occurredAt > order.expires_at) return "late";
  return "pays";
}

/** A session with a lowered amount requests that; any other the full due amount. */
export function requestedOf(session: SessionRow | null, owedMinor: number): number {
  const mode = session === null ? null : personalData(session)?.matching_mode;
  return session !== null && mode === "unique_amount" && session.amount_minor === owedMinor ? session.payable_amount_minor : owedMinor;
}
