import type { ExceptionKind, OrderRow, SessionRow } from "../shapes.ts";

/** One piece of money that arrived, whoever says so. */
export interface Money {
  order_id: string | null;
  session_id: string | null;
  gateway: string;
  /** The provider's or the statement's own id, or `manual:…`; unique per gateway, so that a repeat is known as one. */
  external_id: string;
  amount_minor: number;
  currency: string;
  source: "review" | "simulation" | "receipt" | "callback";
  occurred_at: Date;
  receipt_id?: string | null;
}

export type Verdict =
  | { kind: "pay"; dueMinor: number; excessMinor: number; shortfallMinor: number; late: boolean }
  | { kind: "underpaid" }
  | { kind: "exception"; exception: ExceptionKind; reason: string };

/**
 * What a piece of money does to an order. Pure: the order is locked, `heldMinor` is what earlier, short payments left in suspense for it.
 * Anything that does not plainly pay becomes an exception for a person; no money is dropped.
 */
export function decide(given: { order: OrderRow | null; session: SessionRow | null; heldMinor: number; money: Money }): Verdict {
  const { order, money } = given;
  if (order === null) return { kind: "exception", exception: "unmatched", reason: "no_order" };
  if (order.currency !== money.currency) return { kind: "exception", exception: "mismatch", reason: "currency" };
  if (order.status === "paid") return { kind: "exception", exception: "duplicate", reason: "order_paid" };
  if (order.status === "canceled") return { kind: "exception", exception: "late", reason: "order_canceled" };
  const ended = order.status === "expired" || order.status === "failed";
  if (ended && money.source === "receipt") return { kind: "exception", exception: "late", reason: `order_${order.status}` };
  if (isAfterSession(given.session, money)) return { kind: "exception", exception: "late", reason: "session_expired" };
  const { dueMinor, shortfallMinor } = dueOf(order, given.session, given.heldMinor);
  if (money.amount_minor < dueMinor) return { kind: "underpaid" };
  return { kind: "pay", dueMinor, excessMinor: money.amount_minor - dueMinor, shortfallMinor, late: ended || isLateReport(order, given.session) };
}

/** An order that was reported after its time waits for a person; when it is paid then, it is paid late all the same. */
function isLateReport(order: OrderRow, session: SessionRow | null): boolean {
  return order.status === "pending_verify" && session?.reported_at != null && session.reported_at > order.expires_at;
}

/** A transfer made after its code's time may be meant for another order, so a person looks at it first. */
function isAfterSession(session: SessionRow | null, money: Money): boolean {
  return money.source === "receipt" && session !== null && money.occurred_at > session.expires_at;
}

/** What is still to come. A session with a lowered amount asks for that; what it lowered is granted as a shortfall. */
function dueOf(order: OrderRow, session: SessionRow | null, heldMinor: number): { dueMinor: number; shortfallMinor: number } {
  const rest = order.amount_minor - heldMinor;
  if (session?.matching_mode !== "unique_amount" || session.amount_minor !== rest) return { dueMinor: rest, shortfallMinor: 0 };
  return { dueMinor: session.payable_amount_minor, shortfallMinor: rest - session.payable_amount_minor };
}
