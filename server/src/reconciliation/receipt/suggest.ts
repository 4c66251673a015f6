import type { ReceiptRow } from "#collection/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import { findMark, indexOf, type Mark } from "./match/find-mark.ts";
import { loadWorld } from "./match/load-world.ts";
import { listReservedSessions } from "./match/sql.ts";
import { coversTime, type MatchData, type Reservation } from "./match/world.ts";
import { accountOf } from "./match-receipt.ts";

/** A payment that a waiting receipt may belong to. For another project of the merchant, only its existence is shown. */
export interface Suggestion {
  order_id: string | null;
  payment_session_id: string | null;
  /** The reason: its code, the requested amount, the order's own amount, or an approval without a receipt. */
  fits: "code" | "payable" | "nominal" | "approved";
  amount_minor: number;
  asked_at: Date | null;
  elsewhere: boolean;
}

const suggestionsMax = 20;
const ranks = { code: 0, approved: 1, payable: 2, nominal: 3 } as const;

/** Suggestions for waiting receipts, by receipt; others have none. All receipts belong to one project. */
export async function listSuggestions(db: Db, tenant: Tenant, receipts: readonly ReceiptRow[]): Promise<Map<string, Suggestion[]>> {
  const found = new Map<string, Suggestion[]>();
  const waiting = receipts.filter((receipt) => receipt.status === "unmatched");
  const accounts = new Map(waiting.map((receipt) => [`${receipt.channel} ${receipt.account_ref}`, accountOf(receipt)]));
  for (const [name, account] of accounts) {
    const own = waiting.filter((receipt) => `${receipt.channel} ${receipt.account_ref}` === name);
    const world = await loadWorld(db, account, { receipts: own, around: [] });
    const keys = world.reservations.map((reservation) => ({ project_id: reservation.project_id, id: reservation.id }));
    const sessions = new Map(
      keys.length === 0 ? [] : (await listReservedSessions(db, account.livemode, keys)).map((row) => [row.asking_id, row.id]),
    );
    for (const receipt of own) found.set(receipt.id, suggestIn({ world, receipt, sessions, tenant }));
  }
  return found;
}

/** Like `listSuggestions`, on loaded data. */
export function suggestIn(given: { world: MatchData; receipt: ReceiptRow; sessions: Map<string, string>; tenant: Tenant }): Suggestion[] {
  const { world, receipt, sessions, tenant } = given;
  const mark = findMark({ ...receipt, amount_minor: -1 }, world.reservations);
  const named = new Set(
    mark.kind === "code" ? [mark.reservation.id] : mark.kind === "several" ? mark.reservations.map((reservation) => reservation.id) : [],
  );
  const best = new Map<string, { reservation: Reservation; fits: Suggestion["fits"] }>();
  const open = openOrders(world, receipt);
  for (const reservation of candidatesOf(world, { receipt, open, mark })) {
    if (!coversTime(reservation, receipt.occurred_at)) continue;
    const fits = fitOf(world, { reservation, receipt, open, isNamed: named.has(reservation.id) });
    const before = best.get(reservation.order_id);
    if (fits !== null && (before === undefined || ranks[fits] < ranks[before.fits])) best.set(reservation.order_id, { reservation, fits });
  }
  const apart = (reservation: Reservation) => Math.abs(reservation.asked_from.getTime() - receipt.occurred_at.getTime());
  const sorted = [...best.values()].sort(
    (one, other) => ranks[one.fits] - ranks[other.fits] || apart(one.reservation) - apart(other.reservation),
  );
  return sorted
    .slice(0, suggestionsMax)
    .map(({ reservation, fits }) => shown({ reservation, fits, session: sessions.get(reservation.id) ?? null, tenant }));
}

/** The orders with a booking of this amount that no receipt of this source shows yet. */
function openOrders(world: MatchData, receipt: ReceiptRow): Set<string | null> {
  const open = world.pieces.filter((piece) => piece.amount_minor === receipt.amount_minor && !piece.sources.includes(receipt.source));
  return new Set(open.map((piece) => piece.order_id));
}

/** What was requested that can fit the receipt, by its mark, its amount or its order's booking. */
function candidatesOf(world: MatchData, given: { receipt: ReceiptRow; open: Set<string | null>; mark: Mark }): Set<Reservation> {
  const { receipt, open, mark } = given;
  const { byAmount, byOrder } = indexOf(world.reservations);
  const found = new Set(byAmount.get(receipt.amount_minor) ?? []);
  if (mark.kind === "code") found.add(mark.reservation);
  if (mark.kind === "several") for (const reservation of mark.reservations) found.add(reservation);
  for (const order of open) for (const reservation of byOrder.get(order ?? "") ?? []) found.add(reservation);
  return found;
}

function fitOf(
  world: MatchData,
  given: { reservation: Reservation; receipt: ReceiptRow; open: Set<string | null>; isNamed: boolean },
): Suggestion["fits"] | null {
  const { reservation, receipt, open, isNamed } = given;
  const order = world.orders.get(reservation.order_id);
  if (order === undefined || order.status === "canceled") return isNamed ? "code" : null;
  if (isNamed) return "code";
  // Refunded or pending money is shown with the order that it was sent for, whatever its outcome.
  if (order.status === "paid" && receipt.state === "final") return open.has(order.id) ? "approved" : null;
  if (reservation.amount_minor === receipt.amount_minor) return "payable";
  return reservation.nominal_minor === receipt.amount_minor ? "nominal" : null;
}

function shown(given: { reservation: Reservation; fits: Suggestion["fits"]; session: string | null; tenant: Tenant }): Suggestion {
  const { reservation, fits, session, tenant } = given;
  const elsewhere = reservation.project_id !== tenant.project_id;
  return {
    order_id: elsewhere ? null : reservation.order_id,
    payment_session_id: elsewhere ? null : session,
    fits,
    amount_minor: reservation.amount_minor,
    asked_at: elsewhere ? null : reservation.asked_from,
    elsewhere,
  };
}
