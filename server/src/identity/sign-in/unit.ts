import { AsyncLocalStorage } from "node:async_hooks";
import type { Ctx, Tx } from "#platform/index.ts";

/** One request to the sign-in library: everything that it reads and writes goes through this transaction. */
export interface Unit {
  tx: Tx;
  ctx: Ctx;
  /** The library reads the machine's clock; this is how far the context's clock is ahead of it. */
  aheadMs: number;
  /** What the merchant is called that comes with a new account. */
  merchantName: string | null;
  /** Whom our own code has proved and wants a session for. */
  openFor: string | null;
  /** Whose password a mailed link has just set: only the library can tell from the token. */
  resetOf: { email: string; name: string } | null;
}

const units = new AsyncLocalStorage<Unit>();

/** Runs the library inside one transaction of ours. */
export function runInUnit<T>(unit: Unit, work: () => Promise<T>): Promise<T> {
  return units.run(unit, work);
}

/** The transaction of the running request. */
export function currentUnit(): Unit {
  const unit = units.getStore();
  if (unit === undefined) throw new Error("sign-in: the library was called outside a transaction");
  return unit;
}
