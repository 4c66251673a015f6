/** At most `limit` requests in a window of `windowMs`, anchored at the first request in it. */
export interface LimitRule {
  readonly limit: number;
  readonly windowMs: number;
}

/** What one request found: whether it may pass, and the window as its headers show it. */
export interface Taken {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly windowMs: number;
  readonly resetsAtMs: number;
}

/** The windows of one endpoint, one per subject (a key, an address, a link's token). */
export interface LimitBucket {
  take(subject: string, rule: LimitRule, nowMs: number): Taken | Promise<Taken>;
  /** Takes back a request that was counted and then refused for another reason. */
  giveBack(subject: string): void;
}

/** Where windows are counted. One process: memory. Several: a store that all of them share. */
export interface LimitStore {
  bucket(name: string): LimitBucket;
}

interface Window {
  used: number;
  endsAtMs: number;
}

const sweepAbove = 5_000;
const subjectsMax = 200_000;

/** Counts in this process's memory. A bucket forgets windows that ended, and the oldest ones above 200 000 subjects. */
export function createMemoryLimits(): LimitStore {
  const buckets = new Map<string, LimitBucket>();
  return {
    bucket(name) {
      const found = buckets.get(name) ?? createBucket();
      buckets.set(name, found);
      return found;
    },
  };
}

function createBucket(): LimitBucket {
  const windows = new Map<string, Window>();
  let sweepAt = 0;
  const open = (subject: string, endsAtMs: number, nowMs: number): Window => {
    if (windows.size >= sweepAbove && nowMs >= sweepAt) {
      sweepAt = nowMs + 1_000;
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
      if (window === undefined || window.endsAtMs <= nowMs) window = open(subject, nowMs + rule.windowMs, nowMs);
      const allowed = window.used < rule.limit;
      if (allowed) window.used += 1;
      return { allowed, limit: rule.limit, remaining: Math.max(0, rule.limit - window.used), windowMs: rule.windowMs, resetsAtMs: window.endsAtMs };
    },
    giveBack(subject) {
      const window = windows.get(subject);
      if (window !== undefined && window.used > 0) window.used -= 1;
    },
  };
}
