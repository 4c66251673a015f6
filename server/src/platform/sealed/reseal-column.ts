import type { Ctx } from "../context.ts";
import type { SealedColumn, Stored } from "./sealed-column.ts";
import { listSealedByOthers, type ResealedValue, updateResealed } from "./sql.ts";

const atOnce = 200;

type Needed = Pick<Ctx, "db" | "transact" | "masterKeys">;

/** What became of a column's values. */
interface Resealed {
  /** How many were re-sealed. */
  done: number;
  /** Rows whose value does not open: it stays as it is. */
  closed: string[];
}

/**
 * Walks a column once and re-seals what another key than the target has sealed, each portion in a transaction of its own. What changes meanwhile, or is locked
 * by somebody, stays as it is. `told` hears of each portion, and may throw to end the walk.
 */
export async function resealColumn(ctx: Needed, column: SealedColumn, told: (so: Resealed) => Promise<void>): Promise<Resealed> {
  const so: Resealed = { done: 0, closed: [] };
  let after: string | undefined = "";
  while (after !== undefined) {
    await told(so);
    const found = await listSealedByOthers(ctx.db, column, { number: column.target(ctx.masterKeys), after, limit: atOnce });
    const values = await Promise.all(found.map((one) => resealed(ctx, column, one)));
    so.closed.push(...found.filter((_one, index) => values[index] === null).map(({ row }) => row));
    const fresh = values.filter((value) => value !== null);
    if (fresh.length > 0) so.done += await ctx.transact((tx) => updateResealed(tx, column, fresh));
    after = found.at(-1)?.row;
  }
  return so;
}

async function resealed({ masterKeys }: Needed, column: SealedColumn, one: Stored): Promise<ResealedValue | null> {
  const plain = await column.open(masterKeys, one).catch(() => null);
  return plain === null ? null : { named: one.row, was: one.sealed, becomes: await column.seal(masterKeys, one.row, plain) };
}
