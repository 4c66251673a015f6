import { setTimeout as sleep } from "node:timers/promises";

/** A busy machine is slow, which isn't a fault: this only ends what would otherwise never end. */
const defaultTimeoutMs = 120_000;

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

/** Lets the event loop turn a few times, so that anything that was started without waiting is running. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
