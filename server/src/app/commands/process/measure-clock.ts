import { Gauge, type Registry } from "prom-client";
import type { ProcessClock } from "#platform/index.ts";

/** Adds a metric of how far this machine's clock is ahead of the database's. */
export function measureClock(registry: Registry, clock: ProcessClock): void {
  new Gauge({
    name: "tillpost_clock_ahead_seconds",
    help: "How far this machine's clock is ahead of the database's; negative if it's behind. More than 2 either way is an alarm.",
    registers: [registry],
    collect() {
      this.set(clock.aheadMs() / 1000);
    },
  });
}
