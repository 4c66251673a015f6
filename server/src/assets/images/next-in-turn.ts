interface Owned {
  owner: string;
}

/**
 * Whose turn it is among those that wait: whoever has the fewest of its owner's before it, in work or waiting; among equals, who came first. So owners go
 * in turns, however many one of them sends, and nobody waits for good. `mayGo` passes over owners that have no place now.
 */
export function nextInTurn<T extends Owned>(inWork: Iterable<Owned>, waiting: Iterable<T>, mayGo: (one: T) => boolean = () => true): T | undefined {
  const before = new Map<string, number>();
  const countOf = ({ owner }: Owned) => {
    const count = before.get(owner) ?? 0;
    before.set(owner, count + 1);
    return count;
  };
  for (const one of inWork) countOf(one);
  let next: { one: T; count: number } | undefined;
  for (const one of waiting) {
    const count = countOf(one);
    if (mayGo(one) && (next === undefined || count < next.count)) next = { one, count };
  }
  return next?.one;
}
