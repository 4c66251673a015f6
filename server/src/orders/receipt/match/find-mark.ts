import { type CodeReading, readCodes } from "#collection/index.ts";
import { type Asked, type Seen, wasAsked } from "./world.ts";

/** Whose money a receipt is according to its mark. `several` names two orders, so a person must decide. */
export type Mark =
  | { kind: "none" }
  | { kind: "several"; askings: Asked[] }
  | { kind: "code"; asking: Asked; fits: boolean }
  | { kind: "amount"; asking: Asked };

/**
 * A code in the note, or with `unique_amount` an amount that was requested for exactly one order and was no other order's own amount at
 * that time. A standard price marks nothing.
 */
export function findMark(receipt: Pick<Seen, "remark" | "amount_minor" | "occurred_at">, askings: readonly Asked[]): Mark {
  const codes = readCodes(receipt.remark);
  const asked = askingsFor(askings, { amount: receipt.amount_minor, codes }).filter((asking) => wasAsked(asking, receipt.occurred_at));
  const named = asked.filter((asking) => codes.some(({ code, sure }) => code === asking.code && (sure || asking.amount_minor === receipt.amount_minor)));
  const lowered = asked.filter((asking) => asking.mode === "unique_amount" && asking.amount_minor === receipt.amount_minor);
  const orders = new Set([...named, ...lowered].map((asking) => asking.order_id));
  if (orders.size === 0) return { kind: "none" };
  if (orders.size > 1) return { kind: "several", askings: [...named, ...lowered] };
  const [code] = [...named].sort((one, other) => closeness(other, receipt) - closeness(one, receipt));
  if (code !== undefined) return { kind: "code", asking: code, fits: code.amount_minor === receipt.amount_minor };
  const [asking] = lowered;
  if (asking === undefined) return { kind: "none" };
  const others = asked.filter((other) => other.order_id !== asking.order_id && isOwnAmount(other, receipt.amount_minor));
  return others.length === 0 ? { kind: "amount", asking } : { kind: "several", askings: [asking, ...others] };
}

function closeness(asking: Asked, receipt: Pick<Seen, "amount_minor">): number {
  return asking.amount_minor === receipt.amount_minor ? 1 : 0;
}

function isOwnAmount(asking: Asked, amount: number): boolean {
  return asking.nominal_minor === amount || asking.amount_minor === amount;
}

interface Index {
  size: number;
  byAmount: Map<number, Asked[]>;
  byCode: Map<string, Asked[]>;
}

const indexes = new WeakMap<readonly Asked[], Index>();

/** The askings that an amount or codes can match: a whole statement is compared with everything that was requested in a month. */
function askingsFor(askings: readonly Asked[], given: { amount: number; codes: readonly CodeReading[] }): Asked[] {
  const { byAmount, byCode } = indexOf(askings);
  const found = new Set(byAmount.get(given.amount) ?? []);
  for (const { code } of given.codes) for (const asking of byCode.get(code) ?? []) found.add(asking);
  return [...found];
}

function indexOf(askings: readonly Asked[]): Index {
  const known = indexes.get(askings);
  if (known !== undefined && known.size === askings.length) return known;
  const index: Index = { size: askings.length, byAmount: new Map(), byCode: new Map() };
  const add = <Key>(map: Map<Key, Asked[]>, key: Key, asking: Asked) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [asking]);
    else list.push(asking);
  };
  for (const asking of askings) {
    add(index.byAmount, asking.amount_minor, asking);
    if (asking.nominal_minor !== asking.amount_minor) add(index.byAmount, asking.nominal_minor, asking);
    if (asking.code !== null) add(index.byCode, asking.code, asking);
  }
  indexes.set(askings, index);
  return index;
}
