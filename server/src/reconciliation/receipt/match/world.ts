import type { ReceiptRow, ReceiptSource, ReservationRow } from "#collection/index.ts";
import type { OrderRow } from "#orders/index.ts";

/** What was requested for an order, and when it marks a transfer as this order's. */
export type Reservation = Pick<
  ReservationRow,
  "id" | "project_id" | "order_id" | "mode" | "amount_minor" | "nominal_minor" | "code" | "asked_from" | "asked_until" | "held_until"
>;

/** The fields of a receipt that matter for matching. */
export type MatchReceipt = Pick<
  ReceiptRow,
  | "id"
  | "source"
  | "amount_minor"
  | "occurred_at"
  | "remark"
  | "payer_hint"
  | "kind"
  | "state"
  | "status"
  | "external_key"
  | "exception_id"
  | "twin_id"
  | "set_id"
  | "booked_external_id"
  | "decided_by"
>;

export type ReservedOrder = Pick<OrderRow, "id" | "project_id" | "status" | "flags" | "expires_at"> & {
  /** Its amount minus the part payments held for it. */
  owed_minor: number;
};

/** A booking: money that paid an order, or is held for one. */
export interface BookedPayment {
  project_id: string;
  external_id: string;
  external_key: string | null;
  order_id: string | null;
  /** The orders that it was booked for before it turned out to be another's. */
  reversed_orders: string[];
  session_id: string | null;
  amount_minor: number;
  occurred_at: Date;
  /** Sources whose receipt of this booking is known. */
  sources: ReceiptSource[];
  set_id: string | null;
}

/** All known data of an account around some receipts. Nothing here writes, so a preview and an operation decide alike. */
export interface MatchData {
  reservations: Reservation[];
  orders: Map<string, ReservedOrder>;
  pieces: BookedPayment[];
  receipts: MatchReceipt[];
  /** More was requested than is loaded; in that case nothing is decided automatically. */
  isCut?: boolean;
}

/** Whether a receipt waits and can be decided automatically: no one has decided about it, and it has no open exception. */
export function isUndecided(receipt: Pick<MatchReceipt, "status" | "exception_id" | "decided_by">): boolean {
  return receipt.status === "unmatched" && receipt.exception_id === null && receipt.decided_by === null;
}

/** The sources that report a receipt's money: its own, and those of receipts of the same transfer. */
export function sourcesOf(receipt: Pick<MatchReceipt, "id" | "source">, receipts: readonly MatchReceipt[]): ReceiptSource[] {
  return [receipt.source, ...receipts.filter((other) => other.twin_id === receipt.id).map((other) => other.source)];
}

/** Whether a booking has no receipt yet from any of these sources: one source reports a transfer once. */
export function isFree(piece: BookedPayment, sources: readonly ReceiptSource[]): boolean {
  return !piece.sources.some((source) => sources.includes(source));
}

/** Whether a booking is, or was by mistake, an order's: a receipt of the same transfer still names the order that it was sent for. */
export function isBookedFor(piece: Pick<BookedPayment, "order_id" | "reversed_orders">, orderId: string): boolean {
  return piece.order_id === orderId || piece.reversed_orders.includes(orderId);
}

/** A phone's notification and the wallet's own record of one transfer are this close together. */
export const duplicateWindowMs = 5 * 60_000;

/** How far apart in time two receipts saw money, in milliseconds. */
export function apartMs(one: Pick<MatchReceipt, "occurred_at">, other: Pick<MatchReceipt, "occurred_at">): number {
  return Math.abs(one.occurred_at.getTime() - other.occurred_at.getTime());
}

/** The clocks of buyers, wallets and servers differ by at most this much. */
export const leadMs = 5 * 60_000;

/** True if money that moved at `at` can match what was requested. */
export function coversTime(reservation: Reservation, at: Date): boolean {
  const time = at.getTime();
  return time >= reservation.asked_from.getTime() - leadMs && time < reservation.held_until.getTime();
}

/** The period in which reservations matter for a receipt, for the query. */
export function spanOf(times: readonly Date[]): { from: Date; to: Date } {
  const all = times.map((time) => time.getTime());
  return { from: new Date(Math.min(...all)), to: new Date(Math.max(...all) + leadMs) };
}
