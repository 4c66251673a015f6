import type { EmailTransport } from "#email/index.ts";
import { createSimulator } from "#email/simulator/simulator.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { countDue } from "./accept.sql.ts";
import type { Measured } from "./load.ts";
import { runSender } from "./run-sender.ts";

/**
 * A program: sends everything that is due to simulated recipients, as the worker loop does; returns its rate, the duration of its rounds,
 * and its peak memory.
 */
process.once("message", (given: { url: string }) => {
  void drain(given.url).then((measured) => process.send?.(measured, () => process.disconnect?.()));
});
process.once("disconnect", () => process.exit(0));

async function drain(url: string): Promise<Measured & { peakMb: number }> {
  const database = openDatabase({ url, max: 4 });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const simulator = createSimulator();
  let sent = 0;
  const test: EmailTransport = {
    ...simulator,
    send(outgoing, signal) {
      sent += 1;
      return simulator.send(outgoing, signal);
    },
  };
  const total = await countDue(ctx.db);
  const start = performance.now();
  const roundsMs = await runSender(ctx, {
    transports: { test },
    progress: () => sent,
    isDone: async () => sent >= total && (await countDue(ctx.db)) === 0,
  });
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  const sorted = roundsMs.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  return { requests: total, perSecond: Math.round(total / seconds), p50Ms: at(0.5), p99Ms: at(0.99), failed: 0, peakMb };
}
