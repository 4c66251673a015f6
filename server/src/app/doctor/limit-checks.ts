import { setTimeout as pause } from "node:timers/promises";
import type { Settings } from "../config.ts";
import { howToRun } from "../installed/how-to-run.ts";
import { limitStoreOf, openLimitStore } from "../runtime/index.ts";
import type { Finding } from "./checks.ts";

const check = "limits";
const defaultTimeoutMs = 3_000;
const retryMs = 100;

/** Checks whether the shared store for limits responds; returns nothing if each process counts on its own. */
export async function checkLimits(settings: Settings, databaseUrl: string, timeoutMs = defaultTimeoutMs): Promise<Finding[]> {
  const store = await openLimitStore(settings, databaseUrl);
  if (store === null) return [];
  const kind = limitStoreOf(settings);
  const ending = performance.now() + timeoutMs;
  try {
    for (;;) {
      const fault = await Promise.race([
        store.take("doctor", { limit: 1, windowMs: 1_000 }, 0).then(
          () => null,
          (error: Error) => error.message,
        ),
        pause(timeoutMs, "no answer", { ref: false }),
      ]);
      const users = settings.LIMITS_NODES === 1 ? "1 process uses it" : `${settings.LIMITS_NODES} processes share it`;
      if (fault === null) return [{ check, state: "fine", message: `${kind} responds; ${users}` }];
      if (performance.now() >= ending) return [{ check, state: "fault", message: `${kind} doesn't respond: ${fault}`, fix: fixFor(kind) }];
      await pause(retryMs);
    }
  } finally {
    await store.close();
  }
}

function fixFor(kind: string): string {
  return kind === "redis"
    ? "Check REDIS_URL, and that the server is running and accepts this host. Until then, each process allows its share of every limit."
    : `Run \`${howToRun("migrate")}\`, and check DATABASE_URL.`;
}
