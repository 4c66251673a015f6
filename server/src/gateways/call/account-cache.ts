import type { GatewayCache } from "../port.ts";
import type { Gateways } from "../registry.ts";

const accountsMax = 1_000;
const keysMax = 50;

const caches = new WeakMap<Gateways, Map<string, Map<string, { value: string; untilMs: number }>>>();

/**
 * This process's cache for one account and one set of its fields: access tokens, certificates. The least recently used account is removed
 * first.
 */
export function accountCache(gateways: Gateways, { name, now }: { name: string; now(): Date }): GatewayCache {
  const accounts = caches.get(gateways) ?? new Map<string, Map<string, { value: string; untilMs: number }>>();
  caches.set(gateways, accounts);
  const entries = accounts.get(name) ?? new Map<string, { value: string; untilMs: number }>();
  accounts.delete(name);
  accounts.set(name, entries);
  evictOldest(accounts, accountsMax);
  return {
    get(key) {
      const found = entries.get(key);
      return found === undefined || found.untilMs <= now().getTime() ? null : found.value;
    },
    set(key, value, seconds) {
      entries.delete(key);
      entries.set(key, { value, untilMs: now().getTime() + seconds * 1_000 });
      evictOldest(entries, keysMax);
    },
  };
}

function evictOldest(map: Map<string, unknown>, most: number): void {
  for (const name of map.keys()) {
    if (map.size <= most) return;
    map.delete(name);
  }
}
