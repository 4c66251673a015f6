import { findLastNumber } from "#events/index.ts";
import { type Ctx, onHint, type Tenant } from "#platform/index.ts";
import { followEvents } from "./pull-events.ts";
import type { PulledEvent } from "./sql.ts";

export interface EventWatch {
  /** Hands over each event after a number, in order, until the answer is called. */
  follow(tenant: Tenant, after: number, onEvent: (event: PulledEvent) => void): () => void;
  close(): void;
}

interface Follower {
  tenant: Tenant;
  after: number;
  reading: boolean;
  onEvent(event: PulledEvent): void;
}

/** Feeds open streams: one question per beat for all of them together, and a look at the events of each only when some event was numbered since. */
export function watchEvents(ctx: Pick<Ctx, "db" | "log" | "now">, beatMs = 250): EventWatch {
  const followers = new Set<Follower>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let seen = -1;

  const read = async (follower: Follower) => {
    if (follower.reading) return;
    follower.reading = true;
    try {
      for (let more = true; more && followers.has(follower); ) {
        const events = await followEvents(ctx, follower.tenant, follower.after);
        for (const event of events) {
          follower.after = event.sequence;
          follower.onEvent(event);
        }
        more = events.length > 0;
      }
    } finally {
      follower.reading = false;
    }
  };
  const beat = async () => {
    timer = null;
    try {
      const last = await findLastNumber(ctx.db);
      if (last !== seen) {
        await Promise.all([...followers].map(read));
        seen = last;
      }
    } catch (error) {
      ctx.log.warn({ err: error }, "events of open streams were not read; trying again");
    }
    wake(beatMs);
  };
  const wake = (inMs: number) => {
    if (timer === null && !closed && followers.size > 0) timer = setTimeout(() => void beat(), inMs).unref();
  };
  const unlisten = onHint(ctx.db, "numbered", () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    wake(0);
  });

  return {
    follow(tenant, after, onEvent) {
      const follower = { tenant, after, onEvent, reading: false };
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
