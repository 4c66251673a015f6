/** How often to check whether a job has to run alone. */
const everyMs = 1_000;
/** A process that was just started runs none: if processes are killed one after the other, their deaths say nothing about the job. */
const usualAfterMs = 5_000;

/** The one job that a process runs alone, and when to look for the next one. */
export interface Alone {
  /** Whether to look for one now: none is running, and the last check was a while ago. */
  looks(): boolean;
  /** Records which claim of a job was made alone. */
  took(claim: string): void;
  /** Once the claim that was made alone has ended, the next one can follow right away. */
  ended(claim: string): void;
}

/** Limits a process to one job at a time of those that run alone, in addition to all other jobs. */
export function createAlone(afterMs = usualAfterMs): Alone {
  let inHand: string | null = null;
  let lookedAt = performance.now() + afterMs - everyMs;
  return {
    looks() {
      const now = performance.now();
      if (inHand !== null || now - lookedAt < everyMs) return false;
      lookedAt = now;
      return true;
    },
    took(claim) {
      inHand = claim;
    },
    ended(claim) {
      if (inHand === claim) [inHand, lookedAt] = [null, Number.NEGATIVE_INFINITY];
    },
  };
}
