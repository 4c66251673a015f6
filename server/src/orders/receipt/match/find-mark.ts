import { type CodeReading, readCodes } from "#collection/index.ts";
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
  const matching = reservationsFor(reservations, { amount: receipt.amount_minor, codes }).filter((reservation) =>
    coversTime(reservation, receipt.occurred_at),
  );
  const named = matching.filter((reservation) =>
    codes.some(({ code, sure }) => code === reservation.code && (sure || reservation.amount_minor === receipt.amount_minor)),
  );
  const lowered = matching.filter(
    (reservation) => reservation.mode === "unique_amount" && reservation.amount_minor === receipt.amount_minor,
  );
  const orders = new Set([...named, ...lowered].map((reservation) => reservation.order_id));
  if (orders.size === 0) return { kind: "none" };
  if (orders.size > 1) return { kind: "several", reservations: [...named, ...lowered] };
  const [code] = [...named].sort((one, other) => closeness(other, receipt) - closeness(one, receipt));
  if (code !== undefined) return { kind: "code", reservation: code, fits: code.amount_minor === receipt.amount_minor };
  const [reservation] = lowered;
  if (reservation === undefined) return { kind: "none" };
  const others = matching.filter((other) => other.order_id !== reservation.order_id && isOwnAmount(other, receipt.amount_minor));
  return others.length === 0 ? { kind: "amount", reservation } : { kind: "several", reservations: [reservation, ...others] };
}

function closeness(reservation: Reservation, receipt: Pick<MatchReceipt, "amount_minor">): number {
  return reservation.amount_minor === receipt.amount_minor ? 1 : 0;
}

function isOwnAmount(reservation: Reservation, amount: number): boolean {
  return reservation.nominal_minor === amount || reservation.amount_minor === amount;
}

interface Index {
  size: number;
  byAmount: Map<number, Reservation[]>;
  byCode: Map<string, Reservation[]>;
}

const indexes = new WeakMap<readonly Reservation[], Index>();

/** The reservations that an amount or codes can match: a whole statement is compared with everything that was requested in a month. */
function reservationsFor(reservations: readonly Reservation[], given: { amount: number; codes: readonly CodeReading[] }): Reservation[] {
  const { byAmount, byCode } = indexOf(reservations);
  const found = new Set(byAmount.get(given.amount) ?? []);
  for (const { code } of given.codes) for (const reservation of byCode.get(code) ?? []) found.add(reservation);
  return [...found];
}

function indexOf(reservations: readonly Reservation[]): Index {
  const known = indexes.get(reservations);
  if (known !== undefined && known.size === reservations.length) return known;
  const index: Index = { size: reservations.length, byAmount: new Map(), byCode: new Map() };
  const add = <Key>(map: Map<Key, Reservation[]>, key: Key, reservation: Reservation) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [reservation]);
    else list.push(reservation);
  };
  for (const reservation of reservations) {
    add(index.byAmount, reservation.amount_minor, reservation);
    if (reservation.nominal_minor !== reservation.amount_minor) add(index.byAmount, reservation.nominal_minor, reservation);
    if (reservation.code !== null) add(index.byCode, reservation.code, reservation);
  }
  indexes.set(reservations, index);
  return index;
}
