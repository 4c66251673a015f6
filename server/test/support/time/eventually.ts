import { setTimeout as sleep } from "node:timers/promises";

/** A busy machine is slow, which isn't a fault: this only ends what would otherwise never end. */
const defaultTimeoutMs = 300_000;

/** Waits until a condition is true, checking every few milliseconds; throws with `what` if it never is. */
export async function eventually(
  what: string | (() => string),
  holds: () => boolean | Promise<boolean>,
  { withinMs = defaultTimeoutMs, everyMs = 5 }: { withinMs?: number; everyMs?: number } = {},
): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(everyMs)) {
    if (performance.now() > end) throw new Error(`never came about: ${typeof what === "string" ? what : what()}`);
  }
}

/**
 * Repeats a step until a condition is true; throws with `what` if it still isn't after `atMost` steps. For what comes about by doing, not
 * by waiting: the time that a step takes doesn't count.
 */
export async function stepUntil(
  what: string,
  { holds, step, atMost = 2_000 }: { holds: () => boolean | Promise<boolean>; step: () => unknown; atMost?: number },
): Promise<void> {
  for (let steps = 0; !(await holds()); steps += 1) {
    if (steps === atMost) throw new Error(`not after ${atMost} steps: ${what}`);
    await step();
  }
}

/** Lets the event loop turn a few times, so that anything that was started without waiting is running. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
