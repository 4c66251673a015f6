import type { Ctx } from "../context.ts";
import { atNow } from "../database/at-now.ts";
import { updatePlanning } from "../database/planning.sql.ts";
import type { Tx } from "../sql.ts";
import { beginPass, isShared, type SweepPass, type SweptKind } from "./put-off.ts";
import type { WantedRows } from "./wanted.sql.ts";

/** How many of the rows that failed before are tried again in one pass, so that they hardly delay the others. */
const retriedMost = 20;

/** How many portions of rows that can't be processed one pass looks behind for others. */
const portionsMost = 5;

/** A portion of due rows of any tenants, which are processed in one transaction. */
interface Sweep<Row> extends SweptKind {
  limit: number;
  /** Lists or locks due rows, with `amongWanted` in its statement. */
  take(tx: Tx, wanted: WantedRows): Promise<Row[]>;
  /** What the statement names a row by. */
  nameOf(row: Row): string;
  /** Whose row it is: the failing rows of one owner can't use up a pass. */
  ownerOf(row: Row): string;
  /** Processes the rows in the transaction that took them; returns how many need nothing more for now. */
  work(tx: Tx, rows: Row[]): Promise<number>;
}

/**
 * Processes a portion of due rows in one transaction; returns how many. If one of them fails, each is processed in its own transaction, and
 * those that fail are put off: logged, counted in `tillpost_task_put_off`, and tried again separately at growing intervals. If all of them
 * fail, those behind them are next. Throws if the first ones of several tenants all fail, or all rows that there are, because the cause is
 * then probably none of them.
 */
export async function sweepRows<Row>(ctx: Ctx, sweep: Sweep<Row>): Promise<number> {
  const pass = beginPass(ctx, sweep);
  const portions = createPortions(ctx, sweep, pass);
  let [done, isOver] = [0, false];
  try {
    for (let count = 0; count < portionsMost && !isOver && done === 0; count += 1) {
      const swept = await portions.sweep();
      done += swept.done;
      isOver = swept.isOver;
    }
  } finally {
    for (const name of pass.due.slice(0, retriedMost)) done += (await pass.attempt(name, () => portions.sweepOne(name))) ?? 0;
  }
  const error = pass.unresolved();
  if (isOver && done === 0 && error !== null) throw error;
  return done;
}

function createPortions<Row>(ctx: Ctx, sweep: Sweep<Row>, pass: SweepPass) {
  const without = [...pass.waiting, ...pass.due];
  let taken: { name: string; owner: string }[] = [];
  const run = (wanted: WantedRows) =>
    ctx.transact(async (tx) => {
      taken = [];
      const rows = await sweep.take(tx, wanted);
      taken = rows.map((row) => ({ name: sweep.nameOf(row), owner: sweep.ownerOf(row) }));
      return rows.length === 0 ? 0 : sweep.work(tx, rows);
    });
  const sweepOne = async (only: string) => {
    const done = await run({ limit: 1, only });
    if (taken.length === 0) pass.miss(only);
    return done;
  };
  const sweepSeparately = async (error: unknown) => {
    const rows = taken;
    // Without rows, the statement that takes them has failed.
    if (rows.length === 0 || isShared(error)) throw error;
    let done = 0;
    for (const { name, owner } of rows) done += (await pass.attemptInTurn(name, () => sweepOne(name), owner)) ?? 0;
    without.push(...rows.map(({ name }) => name));
    return { done, isOver: rows.length < sweep.limit };
  };
  return {
    sweepOne,
    /** `isOver`: no further rows wait behind this portion, or it was processed at once. */
    sweep: () => run({ limit: sweep.limit, without }).then((done) => ({ done, isOver: true }), sweepSeparately),
  };
}

interface DueSweep<Row> extends SweptKind {
  limit: number;
  /** Lists due rows, with `amongWanted` in its statement. */
  list(tx: Tx, wanted: WantedRows): Promise<Row[]>;
  /** Changes rows that are still due. `pinned` has the database's time. */
  change(tx: Tx, pinned: Ctx, rows: Row[]): Promise<unknown>;
}

/** `sweepRows` for rows of large tables that are due by the database's time. Returns how many rows it looked at. */
export function sweepDue<Row extends { project_id: string; id: string }>(
  ctx: Ctx,
  { list, change, ...sweep }: DueSweep<Row>,
): Promise<number> {
  return sweepRows<Row>(ctx, {
    ...sweep,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return list(tx, wanted);
    },
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    async work(tx, rows) {
      await change(tx, await atNow(ctx, tx), rows);
      return rows.length;
    },
  });
}
