import type { ReceiptSource } from "#collection/index.ts";
import {
  apartMs,
  type BookedPayment,
  coversTime,
  duplicateWindowMs,
  isFree,
  isUndecided,
  type MatchData,
  type MatchReceipt,
  type Reservation,
  sourcesOf,
} from "./world.ts";

/** Approved payments and receipts of one amount that close together: each payment is one of these transfers. */
export interface ClosedSet {
  pieces: BookedPayment[];
  receipts: MatchReceipt[];
}

/** A group that stays open for a person, with the reason. */
export interface OpenSet extends ClosedSet {
  /** Other orders that were asked for this amount at the time and aren't settled. */
  others: string[];
}

const comparedMax = 1_000_000;

/**
 * What connects receipts to bookings: when each order was asked, which sources report each receipt's money, and the receipts that show a
 * booking already.
 */
interface Ties {
  windows: Map<string, Reservation[]>;
  sources: Map<MatchReceipt, ReceiptSource[]>;
  shown: Map<BookedPayment, MatchReceipt[]>;
}

interface Node {
  piece: BookedPayment | null;
  receipt: MatchReceipt | null;
  set: number;
}

/**
 * Payments that a person approved, and receipts of one source and amount, if there are equally many and no other order was asked for that
 * amount there and then. Receipts that are already linked count, so the order of arrival doesn't matter.
 */
export function closeSets(world: MatchData, given: { amount: number; source: ReceiptSource }): { closed: ClosedSet[]; open: OpenSet[] } {
  const reservations = world.reservations.filter((reservation) => reservation.amount_minor === given.amount);
  const windows = windowsOf(reservations);
  const pieces = world.pieces.filter((piece) => piece.amount_minor === given.amount && ordersOf(piece).some((order) => windows.has(order)));
  const receipts = world.receipts.filter((receipt) => isOfSet(receipt, { ...given, pieces }));
  // This many equal amounts in one period need a person: comparing all pairs would take too long.
  if (pieces.length * receipts.length > comparedMax) return { closed: [], open: [] };
  const rivals = rivalsOf(world, { amount: given.amount, pieces });
  const result: { closed: ClosedSet[]; open: OpenSet[] } = { closed: [], open: [] };
  const ties: Ties = {
    windows,
    sources: new Map(receipts.map((receipt) => [receipt, sourcesOf(receipt, world.receipts)])),
    shown: shownBy(pieces, world.receipts),
  };
  for (const component of componentsOf({ pieces, receipts, ties })) {
    const openPieces = component.pieces.filter((piece) => !piece.sources.includes(given.source));
    const openReceipts = component.receipts.filter((receipt) => receipt.status === "unmatched");
    if (openPieces.length === 0 || openReceipts.length === 0) continue;
    const others = rivals.filter((reservation) => component.receipts.some((receipt) => coversTime(reservation, receipt.occurred_at)));
    const set = { pieces: openPieces, receipts: openReceipts };
    const isWhole = component.pieces.length === component.receipts.length && openPieces.length === openReceipts.length;
    const isOneSet = new Set(openPieces.map((piece) => piece.set_id)).size === 1;
    if (isWhole && isOneSet && world.isCut !== true && others.length === 0 && isMatchable(set, ties)) result.closed.push(set);
    else result.open.push({ ...set, others: [...new Set(others.map((reservation) => reservation.order_id))] });
  }
  return result;
}

/** Requests of unsettled orders whose money this may be: of the requested amount, or of the order's own, which careless buyers type. */
function rivalsOf(world: MatchData, given: { amount: number; pieces: readonly BookedPayment[] }): Reservation[] {
  const settled = new Set(given.pieces.map((piece) => piece.order_id));
  const booked = new Set(world.pieces.map((piece) => piece.order_id));
  return world.reservations.filter(({ order_id, amount_minor, nominal_minor }) =>
    amount_minor === given.amount ? !settled.has(order_id) : nominal_minor === given.amount && !booked.has(order_id),
  );
}

function windowsOf(reservations: readonly Reservation[]): Map<string, Reservation[]> {
  const windows = new Map<string, Reservation[]>();
  for (const reservation of reservations) windows.set(reservation.order_id, [...(windows.get(reservation.order_id) ?? []), reservation]);
  return windows;
}

function isOfSet(receipt: MatchReceipt, given: { amount: number; source: ReceiptSource; pieces: readonly BookedPayment[] }): boolean {
  if (receipt.amount_minor !== given.amount || receipt.source !== given.source || receipt.state !== "final") return false;
  if (receipt.status === "unmatched") return isUndecided(receipt);
  if (receipt.status === "ignored") return false;
  if (receipt.set_id !== null) return given.pieces.some((piece) => piece.set_id === receipt.set_id);
  return given.pieces.some((piece) => piece.external_id === receipt.booked_external_id);
}

function shownBy(pieces: readonly BookedPayment[], receipts: readonly MatchReceipt[]): Map<BookedPayment, MatchReceipt[]> {
  const named = Map.groupBy(
    receipts.filter(({ status }) => status !== "unmatched"),
    ({ booked_external_id, set_id }) => (set_id === null ? `number ${booked_external_id}` : `set ${set_id}`),
  );
  const of = (name: string) => named.get(name) ?? [];
  return new Map(pieces.map((piece) => [piece, [...of(`number ${piece.external_id}`), ...of(`set ${piece.set_id}`)]]));
}

function isShownBy(piece: BookedPayment, receipt: MatchReceipt): boolean {
  if (receipt.status === "unmatched") return false;
  return receipt.booked_external_id === piece.external_id || (receipt.set_id !== null && receipt.set_id === piece.set_id);
}

function isEdge(piece: BookedPayment, receipt: MatchReceipt, ties: Ties): boolean {
  if (isShownBy(piece, receipt)) return true;
  if (receipt.status === "unmatched" && !piece.sources.includes(receipt.source)) {
    // A booking shown by another notification isn't the money of a row that has its own notification.
    if (!isFree(piece, ties.sources.get(receipt) ?? [])) return false;
    // Nor is a transfer that another source saw at another time.
    const seen = ties.shown.get(piece) ?? [];
    if (piece.sources.length > 0 && !seen.some((other) => apartMs(other, receipt) <= duplicateWindowMs)) return false;
  }
  return ordersOf(piece).some((order) =>
    (ties.windows.get(order) ?? []).some((reservation) => coversTime(reservation, receipt.occurred_at)),
  );
}

function ordersOf(piece: BookedPayment): string[] {
  return piece.order_id === null ? piece.reversed_orders : [piece.order_id, ...piece.reversed_orders];
}

function componentsOf(given: { pieces: BookedPayment[]; receipts: MatchReceipt[]; ties: Ties }): ClosedSet[] {
  const nodes: Node[] = [
    ...given.pieces.map((piece, set) => ({ piece, receipt: null, set })),
    ...given.receipts.map((receipt, index) => ({ piece: null, receipt, set: given.pieces.length + index })),
  ];
  const rootOf = (at: number): number => {
    let root = at;
    while ((nodes[root] as Node).set !== root) root = (nodes[root] as Node).set;
    (nodes[at] as Node).set = root;
    return root;
  };
  for (const [at, piece] of given.pieces.entries())
    for (const [index, receipt] of given.receipts.entries())
      if (isEdge(piece, receipt, given.ties)) (nodes[rootOf(given.pieces.length + index)] as Node).set = rootOf(at);
  const groups = new Map<number, ClosedSet>();
  for (const [at, node] of nodes.entries()) {
    const root = rootOf(at);
    const group = groups.get(root) ?? { pieces: [], receipts: [] };
    if (node.piece !== null) group.pieces.push(node.piece);
    if (node.receipt !== null) group.receipts.push(node.receipt);
    groups.set(root, group);
  }
  return [...groups.values()];
}

/** True if each payment can get a receipt from its own window. */
function isMatchable(set: ClosedSet, ties: Ties): boolean {
  const owner = new Map<MatchReceipt, BookedPayment>();
  const place = (piece: BookedPayment, tried: Set<MatchReceipt>): boolean => {
    const free = set.receipts.find((receipt) => !owner.has(receipt) && isEdge(piece, receipt, ties));
    if (free !== undefined) {
      owner.set(free, piece);
      return true;
    }
    for (const receipt of set.receipts) {
      if (tried.has(receipt) || !isEdge(piece, receipt, ties)) continue;
      tried.add(receipt);
      const held = owner.get(receipt);
      if (held === undefined || place(held, tried)) {
        owner.set(receipt, piece);
        return true;
      }
    }
    return false;
  };
  return set.pieces.every((piece) => place(piece, new Set()));
}
