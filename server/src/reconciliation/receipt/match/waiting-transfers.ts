import { type Account, listReservationsOfOrder, listSeenReceipts, type ReceiptRow } from "#collection/index.ts";
import type { Tx } from "#platform/index.ts";
import { isSameMoney } from "./decide-receipt.ts";
import { findMark } from "./find-mark.ts";
import { loadWorld } from "./load-world.ts";
import {
  apartMs,
  coversTime,
  duplicateWindowMs,
  isBookedFor,
  leadMs,
  type MatchData,
  type MatchReceipt,
  type Reservation,
} from "./world.ts";

export interface WaitingTransfers {
  /** Those that arrived, without those that approvals of other orders account for. */
  received: MatchReceipt[];
  /** Those that were refunded, or that aren't complete; without others' in the same way. */
  returned: MatchReceipt[];
}

/** Of one order's amounts within its holds, only a few ever wait. */
const seenMax = 1000;

/**
 * The transfers on an account that no one has decided about and that can be an order's payment: by our mark, or without one by amount and
 * time. The caller holds the account's lock.
 */
export async function listWaitingTransfers(
  tx: Tx,
  account: Account,
  given: { order: { project_id: string; id: string }; amountMinor: number },
): Promise<WaitingTransfers> {
  const { order, amountMinor } = given;
  const own = await listReservationsOfOrder(tx, account, order);
  const seen = own.length === 0 ? [] : await listSeen(tx, account, { own, amountMinor });
  const fitting = seen.filter((receipt) =>
    own.some((one) => coversTime(one, receipt.occurred_at) && isSameMoney({ amount_minor: amountMinor }, receipt, one)),
  );
  if (fitting.length === 0) return { received: [], returned: [] };
  const world = await loadWorld(tx, account, { receipts: fitting, around: [] });
  return sortOut(world, { fitting, orderId: order.id, amountMinor });
}

function listSeen(tx: Tx, account: Account, given: { own: Reservation[]; amountMinor: number }): Promise<ReceiptRow[]> {
  const { own, amountMinor } = given;
  const amounts = new Set([amountMinor, ...own.flatMap(({ amount_minor, nominal_minor }) => [amount_minor, nominal_minor])]);
  const from = new Date(Math.min(...own.map(({ asked_from }) => asked_from.getTime())) - leadMs);
  const to = new Date(Math.max(...own.map(({ held_until }) => held_until.getTime())));
  return listSeenReceipts(tx, account, { amounts: [...amounts], from, to, statuses: ["unmatched"], limit: seenMax });
}

/** A transfer that can be the order's, and the orders that its mark names. */
interface Possible {
  receipt: MatchReceipt;
  orders: Set<string>;
}

function sortOut(world: MatchData, given: { fitting: MatchReceipt[]; orderId: string; amountMinor: number }): WaitingTransfers {
  const { fitting, orderId, amountMinor } = given;
  const possible = fitting
    .map((receipt) => ({ receipt, orders: ordersNamed(world, receipt) }))
    .filter(({ orders }) => orders.size === 0 || orders.has(orderId));
  const returned = possible.filter(({ receipt }) => receipt.state !== "final");
  const received = possible.filter(
    ({ receipt }) => receipt.state === "final" && !returned.some((other) => isSameTransfer(other.receipt, receipt)),
  );
  // An approval of another order that no receipt shows yet is one of the transfers that name no order: one that arrived, if there is any.
  const taken = world.pieces.filter(
    (piece) => piece.sources.length === 0 && piece.amount_minor === amountMinor && !isBookedFor(piece, orderId),
  ).length;
  const arrived = received.filter(isUnnamed).length;
  return { received: without(received, taken), returned: without(returned, Math.max(0, taken - arrived)) };
}

/** All but so many of those that don't name the order alone. */
function without(possible: readonly Possible[], count: number): MatchReceipt[] {
  const named = possible.filter((one) => !isUnnamed(one));
  return [...named, ...possible.filter(isUnnamed).slice(count)].map(({ receipt }) => receipt);
}

function isUnnamed({ orders }: Possible): boolean {
  return orders.size !== 1;
}

function ordersNamed(world: MatchData, receipt: MatchReceipt): Set<string> {
  const mark = findMark(receipt, world.reservations);
  if (mark.kind === "none") return new Set();
  return new Set((mark.kind === "several" ? mark.reservations : [mark.reservation]).map(({ order_id }) => order_id));
}

/** Whether two sources report what seems to be one transfer. */
function isSameTransfer(one: MatchReceipt, other: MatchReceipt): boolean {
  return one.source !== other.source && one.amount_minor === other.amount_minor && apartMs(one, other) <= duplicateWindowMs;
}
