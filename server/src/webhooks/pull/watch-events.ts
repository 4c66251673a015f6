import { findLastNumber } from "#events/index.ts";
import { type Ctx, onHint, type Tenant } from "#platform/index.ts";
import { followEvents } from "./pull-events.ts";
import type { PulledEvent } from "./sql.ts";

export interface EventWatch {
  /** Passes on each event after a number, in order, until the returned function is called. */
  follow(tenant: Tenant, after: number, onEvent: (event: PulledEvent) => void): () => void;
  close(): void;
}

type Reading = Pick<Ctx, "db" | "log" | "now">;

interface Follower {
  tenant: Tenant;
  after: number;
  onEvent(event: PulledEvent): void;
  /** There may be events that it hasn't read. */
  isBehind: boolean;
  isReading: boolean;
}

/**
 * Feeds open streams: one query per interval for all of them, and more per stream only when new events were numbered. Each stream reads on
 * its own, so that none waits for another one that has a month of events to read.
 */
export function watchEvents(ctx: Reading, intervalMs = 250): EventWatch {
  const followers = new Set<Follower>();
  const feed = createFeed(ctx, followers);
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let closed = false;

  const poll = async () => {
    timer = null;
    isPolling = true;
    await feed.round();
    isPolling = false;
    wake(intervalMs);
  };
  const wake = (inMs: number) => {
    if (timer !== null || isPolling || closed || followers.size === 0) return;
    timer = setTimeout(() => void poll(), inMs).unref();
  };
  const unlisten = onHint(ctx.db, "numbered", () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    wake(0);
  });

  return {
    follow(tenant, after, onEvent) {
      const follower = { tenant, after, onEvent, isBehind: true, isReading: false };
      followers.add(follower);
      feed.readOn(follower);
      wake(intervalMs);
      return () => void followers.delete(follower);
    },
    close() {
      closed = true;
      unlisten();
      if (timer !== null) clearTimeout(timer);
      followers.clear();
    },
  };
}

/** Reads for one follower, or in a round for all of them if the newest number has changed; neither waits until they have read. */
function createFeed(ctx: Reading, followers: ReadonlySet<Follower>) {
  let seen = -1;
  const failed = (error: unknown) => {
    ctx.log.warn({ err: error }, "events of open streams couldn't be read; trying again");
    seen = -1;
  };
  const readOn = (follower: Follower) => {
    follower.isBehind = true;
    if (!follower.isReading) readAll(ctx, followers, follower).catch(failed);
  };
  const round = async () => {
    try {
      const newest = await findLastNumber(ctx.db);
      if (newest !== seen) for (const follower of followers) readOn(follower);
      seen = newest;
    } catch (error) {
      failed(error);
    }
  };
  return { readOn, round };
}

/** Reads until nothing is left, including what is numbered in the meantime. */
async function readAll(ctx: Reading, followers: ReadonlySet<Follower>, follower: Follower): Promise<void> {
  follower.isReading = true;
  try {
    while (follower.isBehind && followers.has(follower)) {
      follower.isBehind = false;
      const events = await followEvents(ctx, follower.tenant, follower.after);
      for (const event of events) {
        follower.after = event.sequence;
        follower.onEvent(event);
      }
      if (events.length > 0) follower.isBehind = true;
    }
  } finally {
    follower.isReading = false;
  }
}
