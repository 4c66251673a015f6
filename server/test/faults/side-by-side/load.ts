import { setTimeout as sleep } from "node:timers/promises";
import type { Done } from "./done.ts";
import { sendMails } from "./mail-stories.ts";
import { orderStories } from "./order-stories.ts";
import type { World } from "./world.ts";

export interface Load {
  /** Goes on for so long, each time with new stories. */
  run(durationMs: number): Promise<void>;
}

/** How long one story takes to follow the other of the same caller. */
const apartMs = 100;

/** Callers who tell one story after the other, each request at another program than the one before. */
export function createLoad(world: World, done: Done, callers: number): Load {
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
