import { type DatabaseOptions, openDatabase } from "../database/database.ts";
import { withoutWaitLimit } from "../database/driver/wait-limit.ts";
import type { Db } from "../sql.ts";
import type { LimitRule } from "./limits.ts";
import type { SharedStore, SharedWindow } from "./shared-limits.ts";
import { deleteEndedWindows, findWindow, insertPlaces, updateUsed } from "./sql.ts";

const connections = 2;
const sweepMs = 30_000;

/** Windows in an unlogged table, over separate connections: never in a caller's transaction, nor within its limit of waits. */
export function openPostgresLimits(given: Pick<DatabaseOptions, "url" | "prepare">): SharedStore {
  const database = openDatabase({ ...given, max: connections, applicationName: "tillpost-limits" });
  const { db } = database;
  const timer = setInterval(() => void deleteEndedWindows(db).catch(() => undefined), sweepMs).unref();
  return {
    take: (window, rule, count) => withoutWaitLimit(() => take(db, window, { ...rule, count })),
    release: (window, resetsAtMs) => withoutWaitLimit(() => updateUsed(db, window, resetsAtMs)),
    close: async () => {
      clearInterval(timer);
      await database.close(1);
    },
  };
}

async function take(db: Db, window: string, { limit, windowMs, count }: LimitRule & { count: number }): Promise<SharedWindow> {
  for (;;) {
    const taken = count === 0 ? null : await insertPlaces(db, { window, limit, windowMs, count });
    if (taken !== null) return taken;
    const found = await findWindow(db, window, windowMs);
    // A window that ended between the two statements is opened again.
    if (count === 0 || isOver(found, limit)) return { ...found, granted: 0 };
  }
}

function isOver(found: Omit<SharedWindow, "granted">, limit: number): boolean {
  return found.resetsAtMs > found.nowMs && found.used >= limit;
}
