interface Owned {
  owner: string;
}

/**
 * The next waiting item: the one with the fewest of its owner's items ahead of it, in progress or waiting; among equals, the first to
 * arrive. So owners take turns, however many items one of them sends, and none waits indefinitely. `mayGo` skips owners without a free
 * slot.
 */
export function nextInTurn<T extends Owned>(
  inWork: Iterable<Owned>,
  waiting: Iterable<T>,
  mayGo: (one: T) => boolean = () => true,
): T | undefined {
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
