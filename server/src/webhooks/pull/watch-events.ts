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
}

/** Feeds open streams: one query per interval for all of them, and one per stream only when new events were numbered. */
export function watchEvents(ctx: Reading, intervalMs = 250): EventWatch {
  const followers = new Set<Follower>();
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let closed = false;
  let seen = -1;

  const poll = async () => {
    timer = null;
    isPolling = true;
    try {
      seen = await feed(ctx, followers, seen);
    } catch (error) {
      ctx.log.warn({ err: error }, "events of open streams couldn't be read; trying again");
    }
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
      const follower = { tenant, after, onEvent };
      followers.add(follower);
      seen = -1;
      wake(0);
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

/** Reads for every follower if the newest number has changed, and returns it. */
async function feed(ctx: Reading, followers: ReadonlySet<Follower>, seen: number): Promise<number> {
  const newest = await findLastNumber(ctx.db);
  if (newest === seen) return seen;
  const waiting = [...followers];
  await Promise.all(waiting.map((follower) => readOn(ctx, followers, follower)));
  // Followers that arrived during this read haven't been served yet.
  return [...followers].every((follower) => waiting.includes(follower)) ? newest : -1;
}

async function readOn(ctx: Reading, followers: ReadonlySet<Follower>, follower: Follower): Promise<void> {
  for (let more = true; more && followers.has(follower); ) {
    const events = await followEvents(ctx, follower.tenant, follower.after);
    for (const event of events) {
      follower.after = event.sequence;
      follower.onEvent(event);
    }
    more = events.length > 0;
  }
}
