import { AsyncLocalStorage } from "node:async_hooks";

/** Limits how long the work of one request waits for the database in total. */
export interface WaitLimit {
  /** Runs work, and everything that it starts, under this limit. */
  run<T>(work: () => T): T;
  /** From now on its work only has the limits of each wait: for a response that takes long by design, and once the request is over. */
  lift(): void;
}

export interface WaitLimitOptions {
  /** How long all waits may take together, in milliseconds. */
  ms: number;
  /** Called when the limit is reached, before the waits end. */
  onReached?: () => void;
}

/** Whose waits are counted: a request's, or those of all requests that share a statement or a transaction. */
export interface Waiter {
  /** Registers a wait; call the returned function when it is over. `giveUp` is called when the limit is reached, and must end it. */
  begin(giveUp: () => void): () => void;
  /** The database has responded. */
  progress(): void;
  isReached(): boolean;
}

/** Longer than this after its time, a timer wasn't on time because this process was busy, and not because it waited. */
const busyMs = 50;
/** The code of errors of waits that their request's limit ended. */
export const waitedTooLong = "CONNECTION_WAIT_LIMIT";
const waiters = new AsyncLocalStorage<Waiter>();

/**
 * Returns a limit for the sum of a request's waits for connections, locks and responses. Responses that come at once don't count: work of
 * many short statements makes progress, however long it takes.
 */
export function createWaitLimit(options: WaitLimitOptions): WaitLimit {
  const waiter = new Waits(options);
  return { run: (work) => waiters.run(waiter, work), lift: () => waiter.lift() };
}

class Waits implements Waiter {
  readonly #options: WaitLimitOptions;
  /** How much of each wait isn't counted, in milliseconds. */
  readonly #shortMs: number;
  readonly #waits = new Set<{ giveUp(): void }>();
  #usedMs = 0;
  /** Since when something waits without a response. */
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLifted = false;
  #isReached = false;

  constructor(options: WaitLimitOptions) {
    this.#options = options;
    this.#shortMs = shortPart(options.ms);
  }

  begin(giveUp: () => void): () => void {
    if (this.#isLifted) return nothing;
    const wait = { giveUp };
    if (this.#waits.size === 0) this.#since = performance.now();
    this.#waits.add(wait);
    if (this.#timer === undefined) this.#arm();
    return () => {
      if (!this.#waits.has(wait)) return;
      this.progress();
      this.#waits.delete(wait);
    };
  }

  progress(): void {
    if (this.#waits.size === 0) return;
    const now = performance.now();
    this.#usedMs += Math.max(0, now - this.#since - this.#shortMs);
    this.#since = now;
  }

  isReached(): boolean {
    return this.#isReached && !this.#isLifted;
  }

  lift(): void {
    this.#isLifted = true;
    this.#waits.clear();
    clearTimeout(this.#timer);
  }

  #leftMs(): number {
    return Math.max(0, this.#options.ms - this.#usedMs) + this.#shortMs - (performance.now() - this.#since);
  }

  #arm(): void {
    const ms = Math.max(1, this.#leftMs());
    const due = performance.now() + ms;
    this.#timer = setTimeout(() => {
      const lateMs = performance.now() - due;
      if (lateMs > busyMs) this.#since += lateMs;
      // Responses that have arrived are read first.
      setImmediate(() => this.#check());
    }, ms).unref();
  }

  #check(): void {
    this.#timer = undefined;
    if (this.#waits.size === 0 || this.#isLifted) return;
    if (this.#leftMs() > 0) return this.#arm();
    if (!this.#isReached) this.#options.onReached?.();
    this.#isReached = true;
    this.#usedMs = this.#options.ms;
    const ended = [...this.#waits];
    this.#waits.clear();
    for (const wait of ended) wait.giveUp();
  }
}

/** A response within this time isn't a wait, in milliseconds. */
function shortPart(ms: number): number {
  return ms / 20;
}

/** What several requests share has no limit of its own; each response to it is progress for all of them. */
class Shared implements Waiter {
  readonly #members: readonly Waiter[];

  constructor(members: readonly Waiter[]) {
    this.#members = members;
  }

  begin(): () => void {
    return () => this.progress();
  }

  progress(): void {
    for (const member of this.#members) member.progress();
  }

  isReached(): boolean {
    return false;
  }
}

const nothing = (): void => {};

/** The waiter that the running code belongs to, if it has one. */
export function currentWaiter(): Waiter | undefined {
  return waiters.getStore();
}

/** Registers a wait of the running request; see `Waiter.begin`. */
export function beginWait(giveUp: () => void): () => void {
  return waiters.getStore()?.begin(giveUp) ?? nothing;
}

/** Whether the running request has waited as long as it may: then it shouldn't try again. */
export function isWaitLimitReached(): boolean {
  return waiters.getStore()?.isReached() ?? false;
}

/** Runs work that outlives the running request, or belongs to several ones, without its limit. */
export function withoutWaitLimit<T>(work: () => T): T {
  return waiters.getStore() === undefined ? work() : waiters.exit(work);
}

/** Runs what these requests share. */
export function runShared<T>(of: readonly (Waiter | undefined)[], work: () => T): T {
  const members = of.filter((waiter) => waiter !== undefined);
  return members.length === 0 ? withoutWaitLimit(work) : waiters.run(new Shared(members), work);
}

/**
 * Waits for work that other requests share. If the running request reaches its limit, `leave` is called and this wait ends; the work
 * continues for the others.
 */
export function waitApart<T>(work: () => Promise<T>, leave?: () => void): Promise<T> {
  const waiter = waiters.getStore();
  if (waiter === undefined) return work();
  return new Promise((resolve, reject) => {
    const done = waiter.begin(() => {
      leave?.();
      reject(waitLimitError());
    });
    waiters.exit(work).then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}

/** The error of a wait that its request's limit ended: the database is unavailable to that request. */
export function waitLimitError(): Error {
  return Object.assign(new Error("the request has waited for the database as long as it may"), { code: waitedTooLong });
}
