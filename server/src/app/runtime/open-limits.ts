import {
  createMemoryLimits,
  createSharedLimits,
  type LimitStore,
  openPostgresLimits,
  openRedisLimits,
  type SharedStore,
} from "#platform/index.ts";
import type { Settings } from "../config.ts";
import type { Runtime } from "./create-runtime.ts";

/** Opens the store that counts limits. If it is down, the server still starts and counts on its own until it is back. */
export async function openLimits({ settings, log, databaseUrl }: Pick<Runtime, "settings" | "log" | "databaseUrl">): Promise<LimitStore> {
  const store = await openLimitStore(settings, databaseUrl);
  if (store === null) return createMemoryLimits();
  const kind = limitStoreOf(settings);
  const nodes = settings.LIMITS_NODES;
  return createSharedLimits({
    store,
    nodes,
    onChange(reason) {
      if (reason === null) log.warn({ store: kind }, "the store of rate limits is back");
      else
        log.error(
          { store: kind, reason: reason.message, nodes },
          "the store of rate limits is down; this process counts on its own with its share of the limits",
        );
    },
  });
}

/** The store that several processes share, or null if each counts on its own. */
export async function openLimitStore(settings: Settings, databaseUrl: string): Promise<SharedStore | null> {
  const kind = limitStoreOf(settings);
  if (kind === "memory") return null;
  return kind === "redis"
    ? await openRedisLimits(settings.REDIS_URL ?? "")
    : openPostgresLimits({ url: databaseUrl, prepare: settings.DATABASE_PREPARE });
}

/** Redis is used if it's configured; a single process needs neither. */
export function limitStoreOf({ LIMITS_STORE, REDIS_URL }: Settings): string {
  return LIMITS_STORE ?? (REDIS_URL === null ? "memory" : "redis");
}
