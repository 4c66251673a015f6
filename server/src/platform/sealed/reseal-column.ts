import type { Ctx } from "../context.ts";
import type { SealedColumn, Stored } from "./sealed-column.ts";
import { listSealedByOthers, type ResealedValue, updateResealed } from "./sql.ts";

const atOnce = 200;

type Needed = Pick<Ctx, "db" | "transact" | "masterKeys">;

/** The result for a column's values. */
interface Resealed {
  /** How many were re-sealed. */
  done: number;
  /** Rows whose value can't be opened: it stays unchanged. */
  closed: string[];
}

/**
 * Goes through a column once and re-seals values sealed with another key than the target, each portion in its own transaction. Values that
 * change in the meantime, or are locked, stay unchanged. `onPortion` is called after each portion, and can throw to stop.
 */
export async function resealColumn(ctx: Needed, column: SealedColumn, onPortion: (so: Resealed) => Promise<void>): Promise<Resealed> {
  const so: Resealed = { done: 0, closed: [] };
  let after: string | undefined = "";
  while (after !== undefined) {
    await onPortion(so);
    const found = await listSealedByOthers(ctx.db, column, { number: column.target(ctx.masterKeys), after, limit: atOnce });
    const values = await Promise.all(found.map((one) => resealed(ctx, column, one)));
    so.closed.push(...found.filter((_one, index) => values[index] === null).map(({ row }) => row));
    const updates = values.filter((value) => value !== null);
    if (updates.length > 0) so.done += await ctx.transact((tx) => updateResealed(tx, column, updates));
    after = found.at(-1)?.row;
  }
  return so;
}

async function resealed({ masterKeys }: Needed, column: SealedColumn, one: Stored): Promise<ResealedValue | null> {
  const plain = await column.open(masterKeys, one).catch(() => null);
  return plain === null ? null : { named: one.row, was: one.sealed, becomes: await column.seal(masterKeys, one.row, plain) };
}
