import { createEmailSender, createSimulator } from "#messaging/index.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/context.ts";
import { countDue } from "./accept.sql.ts";
import type { Measured } from "./load.ts";

/** A program: sends all that is due to simulated recipients, as the worker loop does; answers how fast and its peak memory. */
process.once("message", (given: { url: string }) => {
  void drain(given.url).then((measured) => process.send?.(measured, () => process.disconnect?.()));
});

async function drain(url: string): Promise<Measured & { peakMb: number }> {
  const database = openDatabase({ url, max: 4 });
  const files = { put: async () => {}, get: async () => null, remove: async () => {} };
  const ctx = contextOn(database, { now: () => new Date(), files });
  const sender = createEmailSender({ transports: { test: createSimulator() } });
  let rung = Promise.withResolvers<void>();
  sender.listen(ctx, () => rung.resolve());
  const total = await countDue(ctx.db);
  const tookMs: number[] = [];
  const start = performance.now();
  for (let left = total; left > 0; ) {
    rung = Promise.withResolvers<void>();
    const begun = performance.now();
    await sender.run(ctx);
    tookMs.push(performance.now() - begun);
    await Promise.race([rung.promise, new Promise((resolve) => setTimeout(resolve, 100))]);
    if (tookMs.length % 20 === 0) left = await countDue(ctx.db);
  }
  await sender.finish(ctx);
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  const sorted = tookMs.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  return { requests: total, perSecond: Math.round(total / seconds), p50Ms: at(0.5), p99Ms: at(0.99), failed: 0, peakMb };
}
