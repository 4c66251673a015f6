/** At most `limit` requests in a window of `windowMs`, anchored at the first request in it. */
export interface LimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** The result of one request: whether it passes, and the window as its headers show it. */
export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly windowMs: number;
  readonly resetsAtMs: number;
  /** The time of counting, on the clock of `resetsAtMs`: a shared store has its own. */
  readonly nowMs: number;
}

/** The windows of one endpoint, one per subject (a key, an address, a link's token). */
export interface LimitBucket {
  take(subject: string, rule: LimitRule, nowMs: number): Taken | Promise<Taken>;
  /** Like `take`, but counts nothing and opens no window. */
  look(subject: string, rule: LimitRule, nowMs: number): Taken | Promise<Taken>;
  /** Uncounts a request that was refused for another reason; returns the window without it. */
  release(subject: string, taken: Taken): Taken;
}

/** Where windows are counted. One process: in memory, which returns no promise. Several: in a store that all of them share. */
export interface LimitStore {
  bucket(name: string): LimitBucket;
  /** 1: a shared store responds; 0: it is down, and this process counts on its own; null: there is none. */
  sharedUp(): 0 | 1 | null;
  close(): Promise<void>;
}

/** A window without one of its requests. */
export function oneLess(taken: Taken): Taken {
  return { ...taken, remaining: Math.min(taken.limit, taken.remaining + 1) };
}

interface Window {
  used: number;
  endsAtMs: number;
}

/** A window that ends later than a whole one from now, and more, was opened while the clock was ahead. */
export const windowAheadMs = 60_000;

/** Whether the next request opens a new window. */
function isOver({ endsAtMs }: Window, { windowMs }: LimitRule, nowMs: number): boolean {
  return endsAtMs <= nowMs || endsAtMs > nowMs + windowMs + windowAheadMs;
}

const sweepAbove = 5_000;
const sweepMs = 1_000;
const subjectsMax = 200_000;

/** Counts in this process's memory. Removes windows that ended, and the oldest ones above 200 000 subjects. */
export function createMemoryLimits(): LimitStore {
  const buckets = new Map<string, LimitBucket>();
  return {
    bucket(name) {
      const found = buckets.get(name) ?? createBucket();
      buckets.set(name, found);
      return found;
    },
    sharedUp: () => null,
    close: async () => {},
  };
}

function createBucket(): LimitBucket {
  const windows = new Map<string, Window>();
  let sweepAt = 0;
  const open = (subject: string, endsAtMs: number, nowMs: number): Window => {
    if (windows.size >= sweepAbove && (nowMs >= sweepAt || nowMs < sweepAt - sweepMs)) {
      sweepAt = nowMs + sweepMs;
      for (const [name, window] of windows) if (window.endsAtMs <= nowMs) windows.delete(name);
    }
    if (windows.size >= subjectsMax) windows.delete(windows.keys().next().value as string);
    const window = { used: 0, endsAtMs };
    windows.delete(subject);
    windows.set(subject, window);
    return window;
  };
  return {
    take(subject, rule, nowMs) {
      let window = windows.get(subject);
      if (window === undefined || isOver(window, rule, nowMs)) window = open(subject, nowMs + rule.windowMs, nowMs);
      const allowed = window.used < rule.limit;
      if (allowed) window.used += 1;
      return show(allowed, rule, { used: window.used, endsAtMs: window.endsAtMs, nowMs });
    },
    look(subject, rule, nowMs) {
      const found = windows.get(subject);
      const window = found === undefined || isOver(found, rule, nowMs) ? { used: 0, endsAtMs: nowMs + rule.windowMs } : found;
      return show(window.used < rule.limit, rule, { ...window, nowMs });
    },
    release(subject, taken) {
      const window = windows.get(subject);
      if (window !== undefined && window.endsAtMs === taken.resetsAtMs && window.used > 0) window.used -= 1;
      return oneLess(taken);
    },
  };
}

function show(allowed: boolean, rule: LimitRule, { used, endsAtMs, nowMs }: Window & { nowMs: number }): Taken {
  return { allowed, limit: rule.limit, remaining: Math.max(0, rule.limit - used), windowMs: rule.windowMs, resetsAtMs: endsAtMs, nowMs };
}
