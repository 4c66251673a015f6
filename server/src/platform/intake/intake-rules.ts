import type { Ctx, Tenant } from "../context.ts";
import type { Supply } from "../limits/shares.ts";
import type { Pipe, Sent, Tx } from "../sql.ts";

/** What one request brings. */
export interface IntakeItem<Result> {
  /** Of that request: a group holds those of many callers. Its Idempotency-Key is written with the item. */
  ctx: Ctx;
  tenant: Tenant;
  /** What the request is answered with; called after `time`. A repeated request gets it from the stored text. */
  answer(): Result;
}

/** What shares a transaction. */
export interface IntakeGroup<Item> {
  items: readonly Item[];
  /** How long the transaction waits for a row or key that a stranger is writing. */
  patienceMs: number;
}

/** How a room writes what is taken in. */
export interface IntakeRules<Item extends IntakeItem<unknown>> {
  /** How much may wait or be under way in a process, in the unit of `weightOf`. */
  supply: Supply;
  /** 1 by default. */
  weightOf?(item: Item): number;
  /** Whether an item has a transaction of its own. */
  isLarge?(item: Item): boolean;
  /** Names beside the idempotency key that may stand once in a group, such as a reference that is unique. */
  namesOf?(item: Item): readonly string[];
  /** Looks up what the items depend on; sent with the group's first statement. */
  prepare?(pipe: Pipe, items: readonly Item[]): Sent<Pipe, void>[];
  /** Gives an item the database's time. An item that is written in a second attempt gets a new one. */
  time(item: Item, now: Date): void;
  /** The answer as it is stored with the key; JSON of `answer` by default. */
  textOf?(item: Item): string;
  /** Writes the items. An Error refuses the one in its place, of which nothing may be left then; null takes it. */
  write(tx: Tx, ctx: Ctx, group: IntakeGroup<Item>): Promise<(Error | null)[]>;
  /** Whether this very item is stored. Must wait for a transaction that may still store it, as an INSERT of the same row does; what it writes is undone. */
  isStored(tx: Tx, item: Item): Promise<boolean>;
}
