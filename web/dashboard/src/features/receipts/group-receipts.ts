import type { Objects } from "../../data/client.ts";

export type Receipt = Objects["Receipt"];

interface Place {
  id: string;
  reference: string | null;
  fits: Receipt["suggestions"][number]["fits"];
}

/** Waiting transfers of one amount, and the orders that they may be for: one line, decided in one step. */
export interface Group {
  id: string;
  receipts: Receipt[];
  orders: Place[];
  /**
   * What one click would do. `link`: each transfer to its order. `set`: as many transfers as approved payments, closed as a set, so that
   * none of them belongs to a single order. `choose`: a person chooses the order. `none`: nothing matches.
   */
  action: "link" | "set" | "choose" | "none";
  /** `set`: the approved orders that it closes. There may be others with the same amount, which is why a person decides. */
  approved: Place[];
}

const byTime = (one: Receipt, other: Receipt) => one.occurred_at.localeCompare(other.occurred_at) || one.id.localeCompare(other.id);

/**
 * Groups transfers that compete for the same orders. Transfers that match nothing, or only another project's orders, stay alone. What waits
 * as an exception is decided there.
 */
export function groupReceipts(receipts: readonly Receipt[]): Group[] {
  const waiting = receipts.filter((receipt) => receipt.exception_id === null).toSorted(byTime);
  const groups: { receipts: Receipt[]; orders: Map<string, Place> }[] = [];
  for (const receipt of waiting) {
    const orders = ordersOf(receipt);
    const rivals = groups.filter((group) => isAlike(group.receipts[0], receipt) && orders.some((order) => group.orders.has(order.id)));
    const merged = { receipts: [...rivals.flatMap((group) => group.receipts), receipt], orders: new Map<string, Place>() };
    for (const place of [...rivals.flatMap((group) => [...group.orders.values()]), ...orders]) merged.orders.set(place.id, place);
    for (const rival of rivals) groups.splice(groups.indexOf(rival), 1);
    groups.push(merged);
  }
  return groups.map((group) => {
    const orders = [...group.orders.values()];
    const sorted = group.receipts.toSorted(byTime);
    const approved = orders.filter((order) => order.fits === "approved");
    return { id: sorted[0]?.id ?? "", receipts: sorted, orders, approved, action: actionOf(sorted, orders, approved) };
  });
}

function ordersOf({ suggestions }: Receipt): Place[] {
  return suggestions.flatMap(({ order_id, order_reference, fits }) =>
    order_id === null ? [] : [{ id: order_id, reference: order_reference, fits }],
  );
}

function isAlike(one: Receipt | undefined, other: Receipt): boolean {
  return (
    one !== undefined && one.channel === other.channel && one.account_ref === other.account_ref && one.amount_minor === other.amount_minor
  );
}

function actionOf(receipts: readonly Receipt[], orders: readonly Place[], approved: readonly Place[]): Group["action"] {
  if (orders.length === 0) return "none";
  if (receipts.some((receipt) => receipt.state !== "final")) return "choose";
  if (approved.length > 1 && approved.length === receipts.length) return "set";
  const isWhole = receipts.length === orders.length && pairsOf(receipts).length === receipts.length;
  return isWhole ? "link" : "choose";
}

/** Assigns to each transfer the likeliest order that no earlier one took, in order of time. */
export function pairsOf(receipts: readonly Receipt[]): { receipt_id: string; order_id: string }[] {
  const owner = new Map<string, Receipt>();
  const place = (receipt: Receipt, tried: Set<string>): boolean => {
    for (const { id } of ordersOf(receipt)) {
      if (tried.has(id)) continue;
      tried.add(id);
      const held = owner.get(id);
      if (held !== undefined && !place(held, tried)) continue;
      owner.set(id, receipt);
      return true;
    }
    return false;
  };
  for (const receipt of receipts) place(receipt, new Set());
  return [...owner].map(([order_id, receipt]) => ({ receipt_id: receipt.id, order_id }));
}

/**
 * The transfers to send for undoing all of these, each with how many of them that undoes: a set is undone as a whole, so a second one of it
 * would be refused.
 */
export function onePerSet(receipts: readonly Pick<Receipt, "id" | "set_id">[]): Map<string, number> {
  const firstOf = new Map<string, string>();
  const sizes = new Map<string, number>();
  for (const { id, set_id } of receipts) {
    const first = firstOf.get(set_id ?? id) ?? id;
    firstOf.set(set_id ?? id, first);
    sizes.set(first, (sizes.get(first) ?? 0) + 1);
  }
  return sizes;
}
