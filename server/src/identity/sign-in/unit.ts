import { AsyncLocalStorage } from "node:async_hooks";
import type { Ctx, Tx } from "#platform/index.ts";

/** One request to the sign-in library: all of its reads and writes use this transaction. */
export interface Unit {
  tx: Tx;
  ctx: Ctx;
  /** How far the shared clock is ahead of the machine's clock, which the library reads, in milliseconds. */
  aheadMs: number;
  /** The name of the merchant that comes with a new account. */
  merchantName: string | null;
  /** The person whose identity our own code has checked, and who gets a session. */
  openFor: string | null;
  /** The person whose password an emailed link has just set: only the library can read that from the token. */
  resetOf: { email: string; name: string } | null;
  /** Whether the call came with a session that isn't to be remembered: one that the library opens in its place isn't either. */
  staysBrief: boolean;
  /** The person whose passkey opened the session that the call came with: one that the library opens for them in its place has it too. */
  byPasskeyOf: string | null;
  /** The session that the library opened. */
  opened: string | null;
}

/** A unit as a call begins it; the rest is noted while the library runs. */
export function beginUnit(given: Pick<Unit, "tx" | "ctx" | "aheadMs" | "merchantName" | "openFor">): Unit {
  return { ...given, resetOf: null, staysBrief: false, byPasskeyOf: null, opened: null };
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
