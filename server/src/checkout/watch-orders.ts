import { listOrderVersions } from "#orders/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";

export interface OrderWatch {
  /** Calls `onChange` after each change of the order from now on; the returned function stops that. */
  watch(order: Tenant & { id: string; version: number }, onChange: () => void): () => void;
  close(): void;
}

interface Watched extends Tenant {
  id: string;
  version: number;
  listeners: Set<() => void>;
}

/**
 * Notifies open pages of changes: one database query per interval for all of them together, however many streams there are, and none while
 * no page is open. A failed poll is simply retried.
 */
export function watchOrders(ctx: Pick<Ctx, "db" | "log">, intervalMs = 700): OrderWatch {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const poll = async () => {
    try {
      for (const { id, version } of await listOrderVersions(ctx.db, [...watched.values()])) {
        const entry = watched.get(id);
        if (entry === undefined || entry.version === version) continue;
        entry.version = version;
        for (const listener of entry.listeners) listener();
      }
    } catch (error) {
      ctx.log.warn({ err: error }, "versions of watched orders couldn't be read");
    }
    timer = null;
    wake();
  };
  const wake = () => {
    if (timer === null && !closed && watched.size > 0) timer = setTimeout(() => void poll(), intervalMs).unref();
  };

  return {
    watch({ project_id, livemode, id, version }, onChange) {
      const entry = watched.get(id) ?? { project_id, livemode, id, version, listeners: new Set() };
      watched.set(id, entry);
      entry.listeners.add(onChange);
      wake();
      return () => {
        entry.listeners.delete(onChange);
        if (entry.listeners.size === 0 && watched.get(id) === entry) watched.delete(id);
      };
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      watched.clear();
    },
  };
}
