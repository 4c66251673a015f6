import { effectOf } from "#orders/index.ts";
import { findMark } from "./find-mark.ts";
import { namedReceipts } from "./named-receipts.ts";
import {
  apartMs,
  type BookedPayment,
  duplicateWindowMs,
  isBookedFor,
  isFree,
  type MatchData,
  type MatchReceipt,
  type Reservation,
  type ReservedOrder,
  sourcesOf,
} from "./world.ts";

const minuteMs = 60_000;

export type Verdict =
  /** It pays its order, or is held for it: `settle()` decides the same. */
  | { kind: "book"; reservation: Reservation; effect: "pays" | "duplicate" | "late" }
  /** It shows a booking that exists. */
  | { kind: "link"; piece: BookedPayment }
  /** It shows a transfer that another source reported and that isn't booked. */
  | { kind: "twin"; of: MatchReceipt }
  /** One of our codes arrived with another amount, or our mark with an amount that a part payment has changed since. */
  | { kind: "mismatch"; reservation: Reservation; expected_minor: number }
  | { kind: "wait"; reason: "no_mark" | "ambiguous" | "not_final" | "by_hand" | "number_differs"; order_id: string | null };

/**
 * What one receipt shows, by its number and its mark only; `closeSets` handles sets of equal amounts. Pure, and the only place that decides
 * whether personal money settles automatically.
 */
export function decideReceipt(world: MatchData, receipt: MatchReceipt): Verdict {
  const mark = findMark(receipt, world.reservations);
  const named = mark.kind === "code" || mark.kind === "amount" ? mark.reservation.order_id : null;
  if (receipt.state !== "final") return { kind: "wait", reason: "not_final", order_id: named };
  const same = receipt.external_key === null ? undefined : world.pieces.find((piece) => piece.external_key === receipt.external_key);
  if (same !== undefined) return byNumber(world, same, receipt);
  if (mark.kind === "none") return { kind: "wait", reason: "no_mark", order_id: null };
  if (mark.kind === "several" || world.isCut === true) return { kind: "wait", reason: "ambiguous", order_id: null };
  const { reservation } = mark;
  const piece = pieceFor(world, { receipt, reservation });
  if (piece !== null) return { kind: "link", piece };
  if (isReportedOtherwise(world, { receipt, reservation })) return { kind: "wait", reason: "not_final", order_id: named };
  return byMark(world, { receipt, reservation, fits: mark.kind === "amount" || mark.fits });
}

/** Whether another source reports what seems to be this transfer as unfinished or refunded. */
function isReportedOtherwise(world: MatchData, given: { receipt: MatchReceipt; reservation: Reservation }): boolean {
  const { receipt, reservation } = given;
  return namedReceipts(world, reservation.order_id).some(
    (other) =>
      other.state !== "final" &&
      other.source !== receipt.source &&
      other.amount_minor === receipt.amount_minor &&
      apartMs(other, receipt) <= duplicateWindowMs &&
      isNamedBy(world, other, reservation),
  );
}

/** Unbooked money with our mark: it pays what its order owes now, is held for an order that can't be paid, or waits for a person. */
function byMark(world: MatchData, given: { receipt: MatchReceipt; reservation: Reservation; fits: boolean }): Verdict {
  const { receipt, reservation, fits } = given;
  const order = world.orders.get(reservation.order_id);
  const effect = order === undefined ? null : effectOf(order, receipt.occurred_at);
  const isStale = order !== undefined && order.owed_minor !== reservation.nominal_minor;
  const expected_minor = effect === "pays" && isStale ? order.owed_minor : reservation.amount_minor;
  const isExpected = effect === "pays" ? receipt.amount_minor === expected_minor : fits;
  if (!isExpected) return otherAmount(world, { receipt, reservation, expected_minor });
  // A manually entered receipt waits for another person.
  if (receipt.source === "manual") return { kind: "wait", reason: "by_hand", order_id: reservation.order_id };
  if (effect === null) return { kind: "wait", reason: "ambiguous", order_id: null };
  return { kind: "book", reservation, effect };
}

/** A reviewer entered this number before. If the amounts differ, one of the two is wrong. */
function byNumber(world: MatchData, piece: BookedPayment, receipt: MatchReceipt): Verdict {
  if (piece.amount_minor !== receipt.amount_minor || !isFree(piece, sourcesOf(receipt, world.receipts)))
    return { kind: "wait", reason: "number_differs", order_id: piece.order_id };
  return { kind: "link", piece };
}

/**
 * The order's booking that this receipt also shows: one without a receipt of its sources. If several receipts of one source could show
 * several bookings, the nearest in time are paired, and the rest is separate money.
 */
function pieceFor(world: MatchData, given: { receipt: MatchReceipt; reservation: Reservation }): BookedPayment | null {
  const { receipt, reservation } = given;
  const sources = sourcesOf(receipt, world.receipts);
  const open = world.pieces.filter(
    (piece) => isBookedFor(piece, reservation.order_id) && isFree(piece, sources) && isSameMoney(piece, receipt, reservation),
  );
  if (open.length === 0) return null;
  const rivals = namedReceipts(world, reservation.order_id).filter(
    (other) =>
      other.id !== receipt.id &&
      other.source === receipt.source &&
      other.status === "unmatched" &&
      other.state === "final" &&
      other.exception_id === null &&
      isMarkedFor(world, other, reservation),
  );
  const order = world.orders.get(reservation.order_id);
  const pairs = [receipt, ...rivals].flatMap((seen) =>
    open.filter((piece) => isSameTime(piece, seen, order)).map((piece) => ({ seen, piece, apart: apartMs(seen, piece) })),
  );
  pairs.sort((one, other) => one.apart - other.apart || (one.seen.id < other.seen.id ? -1 : 1));
  const taken = new Set<unknown>();
  for (const { seen, piece } of pairs) {
    if (taken.has(seen) || taken.has(piece)) continue;
    if (seen === receipt) return piece;
    taken.add(seen).add(piece);
  }
  return null;
}

function isMarkedFor(world: MatchData, other: MatchReceipt, reservation: Reservation): boolean {
  const mark = findMark(other, world.reservations);
  return (mark.kind === "amount" || (mark.kind === "code" && mark.fits)) && mark.reservation.order_id === reservation.order_id;
}

/** A reviewer may have approved the order's amount when a lowered one arrived, or vice versa. */
export function isSameMoney(
  piece: Pick<BookedPayment, "amount_minor">,
  receipt: Pick<MatchReceipt, "amount_minor">,
  reservation: Pick<Reservation, "amount_minor" | "nominal_minor">,
): boolean {
  if (piece.amount_minor === receipt.amount_minor) return true;
  const within = (amount: number) => amount >= reservation.amount_minor && amount <= reservation.nominal_minor;
  return within(piece.amount_minor) && within(receipt.amount_minor);
}

/**
 * Two sources that saw one transfer agree about its time except for their clocks; if they are on both sides of the order's end, they must
 * agree to the minute. An approval has no time.
 */
function isSameTime(piece: BookedPayment, receipt: MatchReceipt, order: ReservedOrder | undefined): boolean {
  if (piece.sources.length === 0) return true;
  const apart = apartMs(piece, receipt);
  const end = order?.expires_at.getTime() ?? 0;
  const isSplit = piece.occurred_at.getTime() > end !== receipt.occurred_at.getTime() > end;
  return apart <= (isSplit ? minuteMs : duplicateWindowMs);
}

function otherAmount(world: MatchData, given: { receipt: MatchReceipt; reservation: Reservation; expected_minor: number }): Verdict {
  const { receipt, reservation, expected_minor } = given;
  if (receipt.source === "manual") return { kind: "wait", reason: "by_hand", order_id: reservation.order_id };
  const sameMoney = namedReceipts(world, reservation.order_id).filter(
    (other) =>
      other.exception_id !== null &&
      other.status === "unmatched" &&
      other.source !== receipt.source &&
      other.amount_minor === receipt.amount_minor,
  );
  const free = sameMoney.filter(
    (other) =>
      isNamedBy(world, other, reservation) &&
      !world.receipts.some((follower) => follower.twin_id === other.id && follower.source === receipt.source),
  );
  const [of] = free
    .filter((other) => apartMs(other, receipt) <= duplicateWindowMs)
    .sort((one, other) => apartMs(one, receipt) - apartMs(other, receipt));
  return of === undefined ? { kind: "mismatch", reservation, expected_minor } : { kind: "twin", of };
}

function isNamedBy(world: MatchData, other: MatchReceipt, reservation: Reservation): boolean {
  const mark = findMark(other, world.reservations);
  return (mark.kind === "code" || mark.kind === "amount") && mark.reservation.order_id === reservation.order_id;
}
