/** How often it is looked whether some job goes alone. */
const everyMs = 1_000;
/** A process that is killed before long takes none: where that happens to one after the other, its death says nothing of the job. */
const usualAfterMs = 5_000;

/** The one job that a process has in hand alone, and when it looks for the next one. */
export interface Alone {
  /** Whether to look for one now: none is in hand, and the last look was a while ago. */
  looks(): boolean;
  /** Notes which claim of a job was made alone. */
  took(claim: string): void;
  /** Once the claim that was made alone has ended, the next one may follow at once. */
  ended(claim: string): void;
}

/** Keeps a process to one job at a time of those that go alone, beside all the others that it has in hand. */
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
