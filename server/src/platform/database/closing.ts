import type { Db } from "../sql.ts";

const endings = new WeakMap<Db, Set<() => Promise<void>>>();

/** Has `finish` finish its work before the database's connections are closed. */
export function beforeClosing(db: Db, finish: () => Promise<void>): void {
  endings.set(db, (endings.get(db) ?? new Set()).add(finish));
}

/** Waits until everything that asked for it has finished, at most so long. */
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
