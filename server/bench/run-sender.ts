import type { SenderOptions } from "#email/sending/create-email-sender.ts";
import { createEmailSender } from "#email/sending/create-email-sender.ts";
import type { Ctx } from "#platform/index.ts";

interface Running {
  transports: SenderOptions["transports"];
  /** Checked after each round. */
  isDone: () => boolean | Promise<boolean>;
  /** Anything that changes while work gets done. */
  progress: () => number | Promise<number>;
}

/** A sender without progress for this long never will make any. */
const timeoutMs = 60_000;
const idleMs = 100;

/** One process's sender, woken as the worker loop wakes it. Returns how long each round took; fails when there is no more progress. */
export async function runSender(ctx: Ctx, { transports, isDone, progress }: Running): Promise<number[]> {
  const sender = createEmailSender({ transports });
  const roundsMs: number[] = [];
  let rung = Promise.withResolvers<void>();
  const unlisten = sender.listen(ctx, () => rung.resolve());
  let last = { at: performance.now(), progress: await progress() };
  try {
    while (!(await isDone())) {
      rung = Promise.withResolvers<void>();
      const startedAt = performance.now();
      await sender.run(ctx);
      roundsMs.push(performance.now() - startedAt);
      await ringOrPause(rung.promise);
      const now = await progress();
      if (now !== last.progress) last = { at: performance.now(), progress: now };
      else if (performance.now() - last.at > timeoutMs) throw new Error(`no mail moved for ${timeoutMs / 1000} s; ${now} were done`);
    }
    await sender.finish(ctx);
  } finally {
    unlisten();
  }
  return roundsMs;
}

async function ringOrPause(rung: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, idleMs);
  await Promise.race([rung, promise]);
  clearTimeout(timer);
}
