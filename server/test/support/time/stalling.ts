import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { watchEventLoop } from "#http/operations/watchdog/watch-event-loop.ts";

/** A program: blocks its own thread until the watchdog has reported it, and returns the reports during and after that. */
process.once("message", () => void stall());

const timeoutMs = 30_000;

async function stall(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tillpost-stall-"));
  const path = join(folder, "said");
  const registry = new Registry();
  const logged = Promise.withResolvers<object>();
  const log = { error: (fields: object) => logged.resolve(fields), warn: () => {} };
  const unwatch = watchEventLoop({ log: log as never, registry, alarmMs: 100, file: openSync(path, "w") });
  const line = holdUp(path);
  const after = await logged.promise;
  const metrics = await registry.getMetricsAsJSON();
  await unwatch();
  rmSync(folder, { recursive: true });
  process.send?.({ line, after, metrics }, () => process.disconnect?.());
}

/** Blocks the event loop until the watchdog's line is written. */
function holdUp(path: string): string {
  const startedAt = performance.now();
  while (performance.now() - startedAt < timeoutMs) {
    const line = readFileSync(path, "utf8");
    if (line.endsWith("\n")) return line;
  }
  return "";
}
