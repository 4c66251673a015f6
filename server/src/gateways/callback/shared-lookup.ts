import type { Db } from "#platform/index.ts";

const waiting = new WeakMap<Db, Map<string, Promise<unknown>>>();

/** Concurrent lookups of the same key share one result. It is read after all of them have asked, so that none gets an outdated one. */
export function sharedLookup<T>(db: Db, name: string, look: () => Promise<T>): Promise<T> {
  const lookups = waiting.get(db) ?? new Map<string, Promise<unknown>>();
  waiting.set(db, lookups);
  const known = lookups.get(name);
  if (known !== undefined) return known as Promise<T>;
  const turn = new Promise<void>((resolve) => setImmediate(resolve));
  const looked = turn.then(() => {
    lookups.delete(name);
    return look();
  });
  lookups.set(name, looked);
  return looked;
}
