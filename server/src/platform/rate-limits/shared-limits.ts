import { createMemoryLimits, type LimitBucket, type LimitRule, type LimitStore, oneLess, type Taken } from "./limits.ts";

/** The store's window after a request for several places at once. */
export interface SharedWindow {
  /** How many of the places were granted. */
  granted: number;
  used: number;
  resetsAtMs: number;
  nowMs: number;
}

/** A store in which several processes count, on its own clock. */
export interface SharedStore {
  /** Takes up to `count` places of a window in one atomic step; 0 only reads it. */
  take(window: string, rule: LimitRule, count: number): Promise<SharedWindow>;
  /** Returns one place, if the window is still the one that ends at `resetsAtMs`. */
  release(window: string, resetsAtMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface SharedLimitsOptions {
  store: SharedStore;
  /** How many processes share it: while it is down, each allows its share of every limit. */
  nodes: number;
  /** Called when the store is lost, with the reason, and with null when it is back. */
  onChange(reason: Error | null): void;
  /** Maximum wait for a response. */
  timeoutMs?: number;
  /** Time between two attempts while it is down. */
  retryMs?: number;
  /** The process's monotonic clock, in milliseconds. */
  clockMs?: () => number;
}

interface Line {
  rule: LimitRule;
  waiting: ((window: SharedWindow | null, place: number) => void)[];
}

/** One process's view of a shared store. */
interface View {
  options: SharedLimitsOptions;
  lines: Map<string, Line>;
  down: boolean;
  /** On the process's monotonic clock: when a lost store can be tried again. */
  retryAt: number;
  own: LimitStore;
}

const defaultTimeoutMs = 1_000;
const usualRetryMs = 1_000;
/** A timer that is later than this was delayed by this process. */
const busyMs = 50;

/**
 * Counts in a store that several processes share. Requests for the same window during a question are combined into the next one, so a busy
 * key needs few of them. While the store is down, each process counts on its own, with its share of the limits, and retries every second.
 */
export function createSharedLimits(options: SharedLimitsOptions): LimitStore {
  const view: View = { options, lines: new Map(), down: false, retryAt: 0, own: createMemoryLimits() };
  return {
    bucket: (name) => bucketOf(view, name),
    sharedUp: () => (view.down ? 0 : 1),
    close: () => options.store.close(),
  };
}

function bucketOf(view: View, bucket: string): LimitBucket {
  const { store } = view.options;
  const nameOf = (subject: string) => `${bucket}|${subject}`;
  const alone = () => view.own.bucket(bucket);
  return {
    take(subject, rule, nowMs) {
      if (isAlone(view)) return alone().take(subject, partOf(view, rule), nowMs);
      const read: Read = (window, place) =>
        window === null ? alone().take(subject, partOf(view, rule), nowMs) : placed(rule, window, place);
      return ask(view, nameOf(subject), { rule, read });
    },
    look(subject, rule, nowMs) {
      if (isAlone(view)) return alone().look(subject, partOf(view, rule), nowMs);
      return inTime(view, store.take(nameOf(subject), rule, 0)).then(
        (window) => placed(rule, window, -1),
        () => alone().look(subject, partOf(view, rule), nowMs),
      );
    },
    release(subject, taken) {
      if (view.down) return alone().release(subject, taken);
      store.release(nameOf(subject), taken.resetsAtMs).catch(() => undefined);
      return oneLess(taken);
    },
  };
}

/** True while the store is down, except for the one request that retries it. */
function isAlone(view: View): boolean {
  if (!view.down) return false;
  if (clockOf(view) < view.retryAt) return true;
  view.retryAt = clockOf(view) + (view.options.retryMs ?? usualRetryMs) + (view.options.timeoutMs ?? defaultTimeoutMs);
  return false;
}

function clockOf({ options }: View): number {
  return options.clockMs?.() ?? performance.now();
}

function partOf(view: View, rule: LimitRule): LimitRule {
  return { limit: Math.max(1, Math.floor(rule.limit / view.options.nodes)), windowMs: rule.windowMs };
}

type Read = (window: SharedWindow | null, place: number) => Taken | Promise<Taken>;

/** Queues for the next question about a window. `read` gets the response and the request's place in it, or null if none came. */
function ask(view: View, name: string, { rule, read }: { rule: LimitRule; read: Read }): Promise<Taken> {
  return new Promise((resolve) => {
    const line = view.lines.get(name);
    const wait = (window: SharedWindow | null, place: number) => resolve(read(window, place));
    if (line !== undefined) {
      line.rule = rule;
      line.waiting.push(wait);
      return;
    }
    view.lines.set(name, { rule, waiting: [wait] });
    void drain(view, name);
  });
}

async function drain(view: View, name: string): Promise<void> {
  const line = view.lines.get(name) as Line;
  while (line.waiting.length > 0) {
    const callers = line.waiting.splice(0);
    const window = await inTime(view, view.options.store.take(name, line.rule, callers.length)).catch(() => null);
    callers.forEach((settle, place) => {
      settle(window, place);
    });
  }
  view.lines.delete(name);
}

/** A response in time, recording that the store responds; throws otherwise, recording that it doesn't. */
async function inTime(view: View, answer: Promise<SharedWindow>): Promise<SharedWindow> {
  const timeoutMs = view.options.timeoutMs ?? defaultTimeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const due = performance.now() + timeoutMs;
    const timeOut = () => setImmediate(reject, new Error(`no answer within ${timeoutMs} ms`));
    timer = setTimeout(() => {
      // If this process was busy, perhaps before it sent the question, the store isn't at fault and gets its full time once more.
      if (performance.now() - due > busyMs) timer = setTimeout(timeOut, timeoutMs);
      else timeOut();
    }, timeoutMs);
  });
  try {
    const window = await Promise.race([answer, late]);
    if (view.down) comeBack(view);
    return window;
  } catch (error) {
    if (!view.down) view.options.onChange(error as Error);
    view.down = true;
    view.retryAt = clockOf(view) + (view.options.retryMs ?? usualRetryMs);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function comeBack(view: View): void {
  view.down = false;
  view.own = createMemoryLimits();
  view.options.onChange(null);
}

/** The window for the n-th of the combined requests: the granted places go to the first ones. */
function placed(rule: LimitRule, window: SharedWindow, place: number): Taken {
  const allowed = place < window.granted && (place >= 0 || window.used < rule.limit);
  const used = allowed && place >= 0 ? window.used - window.granted + place + 1 : window.used;
  const { resetsAtMs, nowMs } = window;
  return { allowed, limit: rule.limit, remaining: Math.max(0, rule.limit - used), windowMs: rule.windowMs, resetsAtMs, nowMs };
}
