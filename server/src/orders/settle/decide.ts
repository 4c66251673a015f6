import { personalData } from "../session/method-data.ts";
import { type ExceptionKind, type OrderRow, owesAgain, type SessionRow } from "../shapes.ts";

/** A received payment, from any source. */
export interface Money {
  order_id: string | null;
  session_id: string | null;
  gateway: string;
  /** The provider's or the statement's own id, or `manual:…`; unique per gateway, so that a repeat is known as one. */
  external_id: string;
  amount_minor: number;
  currency: string;
  /** `link`: a person says which order a receipt is for. `resolution`: a person gives an order what an exception holds. */
  source: "review" | "resolution" | "link" | "simulation" | "receipt" | "callback";
  occurred_at: Date;
  receipt_id?: string | null;
  /** A person takes this money for the whole, though some is missing; absent where what is missing is still to come. */
  forgives?: Forgiveness;
  /** The confirmed excess amount; null if the person didn't confirm one, undefined if no person is involved. */
  confirmedExcessMinor?: number | null;
  /** How often this money was booked before and taken back out. */
  attempt?: number;
}

export interface Forgiveness {
  /** What may be missing without being confirmed. */
  upToMinor: number;
  /** What the person says is missing; it has to be exactly that. */
  confirmedMinor: number | null;
}

export type Verdict =
  | { kind: "pay"; dueMinor: number; excessMinor: number; shortfallMinor: number; forgivenMinor: number; late: boolean }
  | { kind: "underpaid" }
  | { kind: "unconfirmed"; expectedMinor: number; shortfallMinor: number }
  | { kind: "excess"; expectedMinor: number; excessMinor: number }
  | { kind: "exception"; exception: ExceptionKind; reason: string };

/**
 * What a piece of money does to an order. Pure: the order is locked, `heldMinor` is what earlier, short payments left in suspense for it. A paid order whose payment was
 * reversed owes it again.
 * Anything that does not plainly pay becomes an exception for a person; no money is dropped.
 */
export function decide(given: { order: OrderRow | null; session: SessionRow | null; heldMinor: number; money: Money }): Verdict {
  const { order, money } = given;
  if (order === null) return { kind: "exception", exception: "unmatched", reason: "no_order" };
  if (order.currency !== money.currency) return { kind: "exception", exception: "mismatch", reason: "currency" };
  if (order.status === "paid" && !owesAgain(order)) return { kind: "exception", exception: "duplicate", reason: "order_paid" };
  if (order.status === "canceled") return { kind: "exception", exception: "late", reason: "order_canceled" };
  if (money.source === "receipt" && fateOf(order, money.occurred_at) === "late") return { kind: "exception", exception: "late", reason: "after_expiry" };
  const ended = order.status === "expired" || order.status === "failed";
  return weigh({ ...given, order, late: ended || isLateReport(order, given.session) });
}

/** Anything from what was asked to what is owed counts as full; a personal receipt that is neither is for a person. */
function weigh(given: { order: OrderRow; session: SessionRow | null; heldMinor: number; money: Money; late: boolean }): Verdict {
  const { order, session, heldMinor, money, late } = given;
  const owedMinor = order.amount_minor - heldMinor;
  const askedMinor = askedOf(session, owedMinor);
  const missingMinor = Math.max(0, askedMinor - money.amount_minor);
  const excessMinor = Math.max(0, money.amount_minor - owedMinor);
  if (money.source === "receipt" && missingMinor + excessMinor > 0) return { kind: "exception", exception: "mismatch", reason: "amount" };
  if (missingMinor > 0 && money.forgives === undefined) return { kind: "underpaid" };
  if (!isForgiven(missingMinor, money.forgives)) return { kind: "unconfirmed", expectedMinor: askedMinor, shortfallMinor: missingMinor };
  if (money.confirmedExcessMinor !== undefined && (money.confirmedExcessMinor ?? 0) !== excessMinor)
    return { kind: "excess", expectedMinor: owedMinor, excessMinor };
  const dueMinor = money.amount_minor - excessMinor;
  return { kind: "pay", dueMinor, excessMinor, shortfallMinor: owedMinor - dueMinor, forgivenMinor: missingMinor, late };
}

/** A confirmation of another sum shows a mistake, also where none was needed. */
function isForgiven(missingMinor: number, forgives: Forgiveness | undefined): boolean {
  if (forgives === undefined) return true;
  return forgives.confirmedMinor === null ? missingMinor <= forgives.upToMinor : missingMinor === forgives.confirmedMinor;
}

/** An order that was reported after its time waits for a person; when it is paid then, it is paid late all the same. */
function isLateReport(order: OrderRow, session: SessionRow | null): boolean {
  return order.status === "pending_verify" && session?.reported_at != null && session.reported_at > order.expires_at;
}

/**
 * What becomes of personal money that carries our mark. A transfer made in time pays although its order expired since; one made after the
 * order's time may be meant for something else, so a person looks at it first.
 */
export function fateOf(order: Pick<OrderRow, "status" | "flags" | "expires_at">, occurredAt: Date): "pays" | "duplicate" | "late" {
  if (order.status === "paid" && !owesAgain(order)) return "duplicate";
  if (order.status === "canceled" || occurredAt > order.expires_at) return "late";
  return "pays";
}

/** A session with a lowered amount asks for that; any other for all that is owed. */
export function askedOf(session: SessionRow | null, owedMinor: number): number {
  const mode = session === null ? null : personalData(session)?.matching_mode;
  return session !== null && mode === "unique_amount" && session.amount_minor === owedMinor ? session.payable_amount_minor : owedMinor;
}
