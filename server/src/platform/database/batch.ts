import type { Ctx } from "../context.ts";
import type { Tx } from "../sql.ts";
import { isUnavailable } from "./database.ts";

export interface BatchOptions<Item, Result> {
  /** Most members of one transaction. */
  max: number;
  /** Transactions under way at once. */
  lanes: number;
  /** Names that may not meet in one transaction (idempotency keys, references). */
  conflictKeys(item: Item): string[];
  /** Order inside a transaction; the same in every process, so that two batches never wait for each other in a circle. */
  sortKey(item: Item): string;
  /** Writes all members; answers one result each, in the members' order. A result may be an Error for that member alone. */
  write(tx: Tx, items: Item[]): Promise<(Result | Error)[]>;
}

export interface Batch<Item, Result> {
  /** Resolves after the commit that holds this item. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Group commit: gathers what is waiting into one transaction. When a transaction fails, each member runs alone, so that one caller's poison harms no other. */
export function createBatch<Item, Result>(ctx: Pick<Ctx, "transactUnclaimed">, options: BatchOptions<Item, Result>): Batch<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled || running >= options.lanes || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (running < options.lanes && queue.length > 0) void runBatch(takeMembers(queue, options));
    });
  };

  const runBatch = async (members: Waiting<Item, Result>[]) => {
    running += 1;
    try {
      await writeTogether(ctx, options, members);
    } finally {
      running -= 1;
      schedule();
    }
  };

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        schedule();
      }),
  };
}

function takeMembers<Item, Result>(queue: Waiting<Item, Result>[], options: BatchOptions<Item, Result>): Waiting<Item, Result>[] {
  const members: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  const names = new Set<string>();
  for (const waiting of queue) {
    const own = options.conflictKeys(waiting.item);
    if (members.length === options.max || own.some((name) => names.has(name))) {
      left.push(waiting);
      continue;
    }
    for (const name of own) names.add(name);
    members.push(waiting);
  }
  queue.splice(0, queue.length, ...left);
  return members.sort((a, b) => (options.sortKey(a.item) < options.sortKey(b.item) ? -1 : 1));
}

async function writeTogether<Item, Result>(
  ctx: Pick<Ctx, "transactUnclaimed">,
  options: BatchOptions<Item, Result>,
  members: Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await ctx.transactUnclaimed((tx) =>
      options.write(
        tx,
        members.map((member) => member.item),
      ),
    );
    members.forEach((member, index) => answer(member, results[index] as Result | Error));
  } catch (error) {
    // After a lost connection nobody knows whether the commit took effect: running again could do the work twice, so each caller hears of it.
    if (members.length === 1 || isUnavailable(error)) return members.forEach((member) => member.reject(error));
    await Promise.all(members.map((member) => writeTogether(ctx, options, [member])));
  }
}

function answer<Item, Result>(member: Waiting<Item, Result>, result: Result | Error): void {
  if (result instanceof Error) member.reject(result);
  else member.resolve(result);
}
