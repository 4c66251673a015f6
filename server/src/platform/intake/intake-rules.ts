import type { Ctx, Tenant } from "../context.ts";
import type { Supply } from "../rate-limits/fair-shares.ts";
import type { Pipe, Sent, Tx } from "../sql.ts";

/** One request's item. */
export interface IntakeItem<Result> {
  /** The request's context: a group has those of many callers. Its Idempotency-Key is written with the item. */
  ctx: Ctx;
  tenant: Tenant;
  /** The response to the request; called after `time`. A repeated request gets it from the stored text. */
  answer(): Result;
}

/** Items that share a transaction. */
export interface IntakeGroup<Item> {
  items: readonly Item[];
  /** How long the transaction waits for a row or key that another transaction is writing. */
  timeoutMs: number;
}

/** How a room writes accepted items. */
export interface IntakeRules<Item extends IntakeItem<unknown>> {
  /** How much can wait or be in progress in a process, in the unit of `weightOf`. */
  supply: Supply;
  /** 1 by default. */
  weightOf?(item: Item): number;
  /** Whether an item has its own transaction. */
  isLarge?(item: Item): boolean;
  /** Names besides the idempotency key that must be unique in a group, such as a unique reference. */
  namesOf?(item: Item): readonly string[];
  /** Reads the items' dependencies; sent with the group's first statement. */
  prepare?(pipe: Pipe, items: readonly Item[]): Sent<Pipe, void>[];
  /** Gives an item the database's time. An item that is written in a second attempt gets a new one. */
  time(item: Item, now: Date): void;
  /** The response as stored with the key; JSON of `answer` by default. */
  textOf?(item: Item): string;
  /** Writes the items. An Error refuses the item at its position, of which nothing may remain; null accepts it. */
  write(tx: Tx, ctx: Ctx, group: IntakeGroup<Item>): Promise<(Error | null)[]>;
  /**
   * Whether this item is stored. Must wait for a transaction that may still store it, as an INSERT of the same row does; its writes are
   * rolled back.
   */
  isStored(tx: Tx, item: Item): Promise<boolean>;
}
