import { setTimeout as sleep } from "node:timers/promises";
import type { Done } from "./done.ts";
import { sendMails } from "./mail-stories.ts";
import { orderStories } from "./order-stories.ts";
import type { SideBySide } from "./world.ts";

export interface Load {
  /** Runs for `forMs`, with new stories each time. */
  run(durationMs: number): Promise<void>;
}

/** The pause between two stories of one caller. */
const apartMs = 100;

/** Callers that run one story after another, each request at the other program than the one before. */
export function createLoad(world: SideBySide, done: Done, callers: number): Load {
  let next = 0;
  return {
    async run(durationMs) {
      const end = performance.now() + durationMs;
      const call = async () => {
        while (performance.now() < end) {
          const n = next;
          next += 1;
          // Each twice in a row, so that each begins at either program.
          const story = orderStories[Math.floor(n / 2) % orderStories.length];
          await story?.(world, done, n);
          await sendMails(world, done, n);
          await sleep(apartMs);
        }
      };
      await Promise.all(Array.from({ length: callers }, call));
    },
  };
}
