import { currentWaiter, runShared, type Waiter, waitApart } from "../database/driver/wait-limit.ts";
import { type AppError, platformErrors } from "../errors.ts";
import { createFairShares, type FairShares, type Supply } from "../rate-limits/fair-shares.ts";
import { createFairQueue, type FairQueue, type QueueEntry } from "./fair-queue.ts";

export interface CollectorOptions<Item, Result> {
  /** Maximum members of one group. */
  max: number;
  /** Concurrent groups. */
  concurrency: number;
  /** Maximum concurrent items of one tenant; by default as many as the groups hold. */
  inProgressMax?: number;
  /** How much can wait or be in progress, in the unit of `weightOf`, and how much of it is reserved in case one tenant fills the rest. */
  supply: Supply;
  /** Longest wait for a group. */
  waitMs: number;
  /** The item's tenant: if many wait, tenants take turns. */
  tenantOf(item: Item): string;
  /** Names that can't be in progress twice at the same time, such as idempotency keys. */
  namesOf(item: Item): readonly string[];
  /** 1 by default. */
  weightOf?(item: Item): number;
  /**
   * Whether a group is sorted by its members' first names: the same order in every process prevents deadlocks. By default it keeps the
   * order of arrival.
   */
  isSorted?: boolean;
  /**
   * Whether an error concerns all members of a group, such as an unavailable database: all of them get it. After any other error the group
   * is split.
   */
  isShared?(error: unknown): boolean;
  /**
   * Whether an error means that a wait for another transaction's row timed out. A part that fails with it isn't split further: all its
   * members get the error.
   */
  isHeldUp?(error: unknown): boolean;
  /** Runs a group and returns each member's result, in order. An Error only concerns that member. */
  run(items: Item[]): Promise<(Result | Error)[]>;
}

export interface Collector<Item, Result> {
  /**
   * Resolves with the item's result once its group has run. Throws service_unavailable if too much is waiting, or it waited too long; it
   * wasn't run then. If its request has waited for the database as long as it may, it only isn't run if no group had it yet.
   */
  add(item: Item): Promise<Result>;
  /** Resolves once nothing is waiting or in progress. */
  drain(): Promise<void>;
}

const separatedMs = 10_000;

interface Member<Item, Result> extends QueueEntry {
  item: Item;
  weight: number;
  /** The request that waits for it. */
  waiter: Waiter | undefined;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

type Answer<Result> = { result: Result } | { error: unknown };

interface State<Item, Result> {
  options: CollectorOptions<Item, Result>;
  queue: FairQueue<Member<Item, Result>>;
  /** The weight of items that wait or are in progress. */
  fairShares: FairShares;
  running: number;
  isScheduled: boolean;
  isWatched: boolean;
  drained: (() => void)[];
}

/**
 * Collects waiting items and runs them in groups. If a group fails, it is run again in smaller parts down to single members, so that a
 * faulty one fails on its own.
 */
export function createCollector<Item, Result>(options: CollectorOptions<Item, Result>): Collector<Item, Result> {
  const state: State<Item, Result> = {
    options,
    queue: createFairQueue(options.inProgressMax),
    fairShares: createFairShares(options.supply),
    running: 0,
    isScheduled: false,
    isWatched: false,
    drained: [],
  };
  return {
    add(item) {
      const [tenant, weight] = [options.tenantOf(item), options.weightOf?.(item) ?? 1];
      if (state.fairShares.leftOf(tenant) < weight) return Promise.reject(tooMuch());
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const names = options.namesOf(item);
      const member = { item, tenant, weight, names, since: performance.now(), waiter: currentWaiter(), resolve, reject };
      const wait = () => {
        state.fairShares.change(tenant, weight);
        state.queue.push(member);
        schedule(state);
        watchWaits(state);
        return promise;
      };
      return waitApart(wait, () => {
        if (state.queue.remove(member)) leave(state, member, { error: tooMuch() });
      });
    },
    drain: () => (state.fairShares.all() === 0 ? Promise.resolve() : new Promise((resolve) => state.drained.push(resolve))),
  };
}

/** Items that arrive in the same turn of the event loop share a group. */
function schedule<Item, Result>(state: State<Item, Result>): void {
  const { options, queue } = state;
  if (state.isScheduled || state.running >= options.concurrency || queue.size() === 0) return;
  state.isScheduled = true;
  setImmediate(() => {
    state.isScheduled = false;
    while (state.running < options.concurrency) {
      const members = queue.take(options.max);
      if (members.length === 0) return;
      void runMembers(state, members);
    }
  });
}

async function runMembers<Item, Result>(state: State<Item, Result>, members: Member<Item, Result>[]): Promise<void> {
  state.running += 1;
  const answer = (member: Member<Item, Result>, answer: Answer<Result>) => {
    state.queue.done(member);
    leave(state, member, answer);
  };
  await runGroup({ options: state.options, queue: state.queue, isPart: false, answer }, sorted(state.options, members));
  state.running -= 1;
  schedule(state);
}

function leave<Item, Result>({ fairShares, drained }: State<Item, Result>, member: Member<Item, Result>, answer: Answer<Result>): void {
  fairShares.change(member.tenant, -member.weight);
  if ("error" in answer) member.reject(answer.error);
  else member.resolve(answer.result);
  if (fairShares.all() === 0) for (const notify of drained.splice(0)) notify();
}

function watchWaits<Item, Result>(state: State<Item, Result>): void {
  const { options, queue } = state;
  if (state.isWatched || queue.size() === 0) return;
  state.isWatched = true;
  setTimeout(() => {
    state.isWatched = false;
    for (const late of queue.dropBefore(performance.now() - options.waitMs)) leave(state, late, { error: tooMuch() });
    watchWaits(state);
  }, options.waitMs / 4).unref();
}

interface Run<Item, Result> {
  options: CollectorOptions<Item, Result>;
  queue: FairQueue<Member<Item, Result>>;
  /** Whether this is part of a failed group. */
  isPart: boolean;
  answer(member: Member<Item, Result>, answer: Answer<Result>): void;
}

async function runGroup<Item, Result>(run: Run<Item, Result>, members: Member<Item, Result>[]): Promise<void> {
  let results: (Result | Error)[];
  try {
    results = await runShared(
      members.map(({ waiter }) => waiter),
      () => run.options.run(members.map(({ item }) => item)),
    );
  } catch (error) {
    if (members.length > 1 && !isForAll(run, error)) for (const part of partsOf(members)) await runGroup({ ...run, isPart: true }, part);
    else refuse(run, members, error);
    return;
  }
  members.forEach((member, index) => {
    const result = results[index] as Result | Error;
    run.answer(member, result instanceof Error ? { error: result } : { result });
  });
}

/** For a while, a tenant whose group was split gets its own groups. */
function refuse<Item, Result>(
  { queue, isPart, options, answer }: Run<Item, Result>,
  members: Member<Item, Result>[],
  error: unknown,
): void {
  const [first] = members;
  const isOfOne = members.every(({ tenant }) => tenant === first?.tenant);
  if (isPart && isOfOne && first !== undefined && options.isShared?.(error) !== true)
    queue.separate(first.tenant, performance.now() + separatedMs);
  for (const member of members) answer(member, { error });
}

function isForAll<Item, Result>({ options, isPart }: Run<Item, Result>, error: unknown): boolean {
  return options.isShared?.(error) === true || (isPart && options.isHeldUp?.(error) === true);
}

/** Parts of about the square root: one faulty member of 64 takes 14 more groups, 64 of them 104. */
function partsOf<T>(members: T[]): T[][] {
  const size = Math.floor(Math.sqrt(members.length));
  return Array.from({ length: Math.ceil(members.length / size) }, (_, at) => members.slice(at * size, (at + 1) * size));
}

function sorted<Item, Result>({ isSorted }: CollectorOptions<Item, Result>, members: Member<Item, Result>[]): Member<Item, Result>[] {
  if (isSorted !== true) return members;
  const keyOf = ({ names: [first], tenant }: Member<Item, Result>) => first ?? tenant;
  return members.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : Number(keyOf(left) > keyOf(right))));
}

function tooMuch(): AppError {
  return platformErrors.service_unavailable({ headers: { "retry-after": "1" } });
}
