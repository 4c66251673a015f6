import { createMemoryLimits, createSharedLimits, type LimitStore, openPostgresLimits, openRedisLimits, type SharedStore } from "#platform/index.ts";
import type { House } from "./open-house.ts";

/** Opens the place that limits are counted in. One that is down does not keep the server from starting: it counts by itself meanwhile. */
export async function openLimits({ settings, log, databaseUrl }: Pick<House, "settings" | "log" | "databaseUrl">): Promise<LimitStore> {
  const { REDIS_URL, LIMITS_NODES: nodes } = settings;
  const kind = settings.LIMITS_STORE ?? (REDIS_URL === null ? "memory" : "redis");
  if (kind === "memory") return createMemoryLimits();
  const store: SharedStore = kind === "redis" ? await openRedisLimits(REDIS_URL ?? "") : openPostgresLimits(databaseUrl);
  return createSharedLimits({
    store,
    nodes,
    onChange(reason) {
      if (reason === null) log.warn({ store: kind }, "the store of rate limits is back");
      else
        log.error({ store: kind, reason: reason.message, nodes }, "the store of rate limits is down; this process counts by itself at its part of the limits");
    },
  });
}
