import type { Db } from "../sql.ts";

const endings = new WeakMap<Db, Set<() => Promise<void>>>();

/** Lets `finish` run before the database's connections are closed. */
export function beforeClosing(db: Db, finish: () => Promise<void>): void {
  endings.set(db, (endings.get(db) ?? new Set()).add(finish));
}

/** Waits until all registered work has finished, at most this long. */
export async function finishBeforeClosing(db: Db, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const finished = Promise.all([...(endings.get(db) ?? [])].map((finish) => finish()));
  await Promise.race([
    finished,
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    }),
  ]);
  clearTimeout(timer);
}
