import { type QueueTable, releaseJobs } from "#platform/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

/** A worker of a queue, as far as the database can tell. Jobs have the names that operators see. */
export interface QueueHand {
  /** Leases at most `limit` jobs; with `alone`, only jobs that must run alone. */
  claim(limit: number, alone?: boolean): Promise<string[]>;
  /** Ends jobs well; returns how many of them were still this worker's. */
  end(jobs: string[]): Promise<number>;
  release(jobs: string[]): Promise<void>;
  /** Extends the leases of jobs; returns those that are still this worker's. */
  extend?(jobs: string[]): Promise<string[]>;
}

/** A room's queue, as the contract needs it. */
export interface QueueUnderTest {
  app: TestApp;
  queue: QueueTable;
  leaseMs: number;
  /** Creates jobs that are due now, each due before the next one, and returns their names in that order. */
  add(count: number): Promise<string[]>;
  /** The number of jobs among which one that kills its workers is found; more if each is cheap to create, fewer if it is expensive. */
  jobCount?: number;
  /** How many workers are killed one after the other: more often than a job survives that is in each of them. */
  kills?: number;
  worker(): QueueHand;
  /** Takes jobs from workers that were lost. */
  sweep(): Promise<number>;
  /** The same on a context that the test created. */
  sweepBy(ctx: TestApp["ctx"]): Promise<number>;
}

/** Long enough that earlier deaths of workers no longer count. */
const quietMs = 600_000;

/** Lets time pass for a queue. */
export const worlds = ({ app, leaseMs, sweep }: QueueUnderTest) => ({
  quiet: () => app.clock.advance(quietMs),
  /** Lets all current leases lapse, and sweeps them. */
  async expireLease() {
    app.clock.advance(leaseMs + 1_000);
    await sweep();
    // A lost worker's jobs return a few at a time.
    app.clock.advance(60_000);
  },
});

/** Ends due jobs, leased alone or in a group, up to a number of jobs. */
export async function drain(hand: QueueHand, most = Number.POSITIVE_INFINITY): Promise<void> {
  for (let done = 0; done < most; ) {
    const held = [...(await hand.claim(1, true)), ...(await hand.claim(Math.min(most - done, 50)))];
    if (held.length === 0) return;
    await hand.end(held);
    done += held.length;
  }
}

/** Releases everything that is set aside, and ends it. */
export async function releaseAll({ app, queue, worker }: QueueUnderTest): Promise<void> {
  await releaseJobs(app.ctx, queue, null);
  await drain(worker());
}
