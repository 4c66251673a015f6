import { readCodes } from "#collection/index.ts";
import { coversTime, type MatchReceipt, type Reservation } from "./world.ts";

/** Whose money a receipt is according to its mark. `several` names two orders, so a person must decide. */
export type Mark =
  | { kind: "none" }
  | { kind: "several"; reservations: Reservation[] }
  | { kind: "code"; reservation: Reservation; fits: boolean }
  | { kind: "amount"; reservation: Reservation };

/**
 * A code in the note, or with `unique_amount` an amount that was requested for exactly one order and was no other order's own amount at
 * that time. A standard price marks nothing.
 */
export function findMark(
  receipt: Pick<MatchReceipt, "remark" | "amount_minor" | "occurred_at">,
  reservations: readonly Reservation[],
): Mark {
  const codes = readCodes(receipt.remark);
  const { byAmount, byCode, byLowered } = indexOf(reservations);
  const covering = (list: readonly Reservation[] = []) => list.filter((reservation) => coversTime(reservation, receipt.occurred_at));
  const named = [
    ...new Set(codes.flatMap(({ code, sure }) => covering(byCode.get(code)).filter((one) => sure || closeness(one, receipt) > 0))),
  ];
  const lowered = covering(byLowered.get(receipt.amount_minor));
  const orders = new Set([...named, ...lowered].map((reservation) => reservation.order_id));
  if (orders.size === 0) return { kind: "none" };
  if (orders.size > 1) return { kind: "several", reservations: [...named, ...lowered] };
  const [code] = [...named].sort((one, other) => closeness(other, receipt) - closeness(one, receipt));
  if (code !== undefined) return { kind: "code", reservation: code, fits: code.amount_minor === receipt.amount_minor };
  const [reservation] = lowered;
  if (reservation === undefined) return { kind: "none" };
  const others = covering(byAmount.get(receipt.amount_minor)).filter((other) => other.order_id !== reservation.order_id);
  return others.length === 0 ? { kind: "amount", reservation } : { kind: "several", reservations: [reservation, ...others] };
}

function closeness(reservation: Reservation, receipt: Pick<MatchReceipt, "amount_minor">): number {
  return reservation.amount_minor === receipt.amount_minor ? 1 : 0;
}

interface Index {
  size: number;
  /** By the requested amount and by the order's own. */
  byAmount: Map<number, Reservation[]>;
  byCode: Map<string, Reservation[]>;
  /** Those whose amount is a mark, by it. */
  byLowered: Map<number, Reservation[]>;
  byOrder: Map<string, Reservation[]>;
}

const indexes = new WeakMap<readonly Reservation[], Index>();

/** Reservations by what money can match: a whole statement is compared with everything that was requested in a month. */
export function indexOf(reservations: readonly Reservation[]): Index {
  const known = indexes.get(reservations);
  if (known !== undefined && known.size === reservations.length) return known;
  const index: Index = {
    size: reservations.length,
    byAmount: new Map(),
    byCode: new Map(),
    byLowered: new Map(),
    byOrder: new Map(),
  };
  const add = <Key>(map: Map<Key, Reservation[]>, key: Key, reservation: Reservation) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [reservation]);
    else list.push(reservation);
  };
  for (const reservation of reservations) {
    add(index.byAmount, reservation.amount_minor, reservation);
    if (reservation.nominal_minor !== reservation.amount_minor) add(index.byAmount, reservation.nominal_minor, reservation);
    if (reservation.code !== null) add(index.byCode, reservation.code, reservation);
    if (reservation.mode === "unique_amount") add(index.byLowered, reservation.amount_minor, reservation);
    add(index.byOrder, reservation.order_id, reservation);
  }
  indexes.set(reservations, index);
  return index;
}
