import { apartMs, duplicateWindowMs, type MatchReceipt } from "./world.ts";

const rank = { statement: 0, listener: 1, manual: 2 } as const;

/**
 * Receipts of two sources that show the same unbooked money: if equally many of both arrived within minutes, they are paired by nearest
 * time. The statement's row represents both.
 */
export function pairDuplicates(receipts: readonly MatchReceipt[], amount: number): { of: MatchReceipt; duplicate: MatchReceipt }[] {
  const waiting = receipts.filter(
    (one) =>
      one.decided_by === null &&
      one.amount_minor === amount &&
      one.status === "unmatched" &&
      one.exception_id === null &&
      one.state === "final" &&
      one.twin_id === null,
  );
  const pairs: { of: MatchReceipt; duplicate: MatchReceipt }[] = [];
  const gone = new Set<MatchReceipt>();
  const followed = (of: MatchReceipt, source: MatchReceipt["source"]) =>
    receipts.some((one) => one.twin_id === of.id && one.source === source);
  for (const [first, second] of [
    ["statement", "listener"],
    ["statement", "manual"],
    ["listener", "manual"],
  ] as const) {
    const speakers = waiting.filter((one) => one.source === first && !gone.has(one) && !followed(one, second));
    const followers = waiting.filter((one) => one.source === second && !gone.has(one));
    for (const cluster of clustersOf([...speakers, ...followers])) {
      const left = cluster.filter((one) => one.source === first);
      const right = cluster.filter((one) => one.source === second);
      if (left.length !== right.length) continue;
      for (const [index, of] of left.entries()) {
        const duplicate = right[index] as MatchReceipt;
        if (apartMs(of, duplicate) > duplicateWindowMs) continue;
        pairs.push({ of, duplicate });
        gone.add(duplicate);
      }
    }
  }
  return pairs;
}

/** Receipts in order of time, split where two are further apart than the limit. */
function clustersOf(receipts: MatchReceipt[]): MatchReceipt[][] {
  const sorted = [...receipts].sort(
    (one, other) => one.occurred_at.getTime() - other.occurred_at.getTime() || rank[one.source] - rank[other.source],
  );
  const clusters: MatchReceipt[][] = [];
  for (const receipt of sorted) {
    const last = clusters.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || apartMs(receipt, before) > duplicateWindowMs) clusters.push([receipt]);
    else last.push(receipt);
  }
  return clusters;
}
