import { readCodes } from "#collection/index.ts";
import { indexOf } from "./find-mark.ts";
import type { MatchData, MatchReceipt } from "./world.ts";

interface Index {
  size: number;
  byAmount: Map<number, MatchReceipt[]>;
  byCode: Map<string, MatchReceipt[]>;
}

const indexes = new WeakMap<readonly MatchReceipt[], Index>();

/**
 * The receipts that an order's marks can name, before time and other orders are looked at: comparing each row of a statement with all
 * others would take the square of its length.
 */
export function namedReceipts(world: Pick<MatchData, "reservations" | "receipts">, orderId: string): MatchReceipt[] {
  const { byAmount, byCode } = receiptsOf(world.receipts);
  const found = new Set<MatchReceipt>();
  for (const { mode, amount_minor, code } of indexOf(world.reservations).byOrder.get(orderId) ?? []) {
    if (code !== null) for (const receipt of byCode.get(code) ?? []) found.add(receipt);
    if (mode === "unique_amount") for (const receipt of byAmount.get(amount_minor) ?? []) found.add(receipt);
  }
  return [...found];
}

function receiptsOf(receipts: readonly MatchReceipt[]): Index {
  const known = indexes.get(receipts);
  if (known !== undefined && known.size === receipts.length) return known;
  const index: Index = { size: receipts.length, byAmount: Map.groupBy(receipts, (receipt) => receipt.amount_minor), byCode: new Map() };
  for (const receipt of receipts) {
    for (const { code } of readCodes(receipt.remark)) {
      const list = index.byCode.get(code);
      if (list === undefined) index.byCode.set(code, [receipt]);
      else list.push(receipt);
    }
  }
  indexes.set(receipts, index);
  return index;
}
