import type { Ctx } from "../context.ts";
import { atNow } from "../database/at-now.ts";
import { updatePlanning } from "../database/planning.sql.ts";
import type { Tx } from "../sql.ts";
import { beginPass, isShared, type SweptKind } from "./put-off.ts";
import type { WantedRows } from "./wanted.sql.ts";

/** How many of the rows that failed before are tried again in one pass, so that they hardly delay the others. */
const retriedMost = 20;

/** A portion of due rows of any tenants, which are processed in one transaction. */
interface Sweep<Row> extends SweptKind {
  limit: number;
  /** Lists or locks due rows, with `amongWanted` in its statement. */
  take(tx: Tx, wanted: WantedRows): Promise<Row[]>;
  /** What the statement names a row by. */
  nameOf(row: Row): string;
  /** Processes the rows in the transaction that took them; returns how many need nothing more for now. */
  work(tx: Tx, rows: Row[]): Promise<number>;
}

/**
 * Processes a portion of due rows in one transaction; returns how many. If one of them fails, each is processed in its own transaction, and
 * those that fail are put off: logged, counted in `tillpost_task_put_off`, and tried again separately at growing intervals. Throws if the
 * first ones all fail, because the cause is then probably none of them.
 */
export async function sweepRows<Row>(ctx: Ctx, sweep: Sweep<Row>): Promise<number> {
  const pass = beginPass(ctx, sweep);
  let taken: string[] = [];
  const run = (wanted: WantedRows) =>
    ctx.transact(async (tx) => {
      taken = [];
      const rows = await sweep.take(tx, wanted);
      taken = rows.map((row) => sweep.nameOf(row));
      return rows.length === 0 ? 0 : sweep.work(tx, rows);
    });
  const runOne = async (only: string) => {
    const done = await run({ limit: 1, only });
    if (taken.length === 0) pass.miss(only);
    return done;
  };
  const runSeparately = async (error: unknown) => {
    const names = taken;
    // Without rows, the statement that takes them has failed.
    if (names.length === 0 || isShared(error)) throw error;
    let separately = 0;
    for (const name of names) separately += (await pass.attemptInTurn(name, () => runOne(name))) ?? 0;
    return separately;
  };
  let done = 0;
  try {
    done += await run({ limit: sweep.limit, without: [...pass.waiting, ...pass.due] }).catch(runSeparately);
  } finally {
    for (const name of pass.due.slice(0, retriedMost)) done += (await pass.attempt(name, () => runOne(name))) ?? 0;
  }
  return done;
}

interface DueSweep<Row> extends SweptKind {
  limit: number;
  /** Lists due rows, with `amongWanted` in its statement. */
  list(tx: Tx, wanted: WantedRows): Promise<Row[]>;
  /** Changes rows that are still due. `pinned` has the database's time. */
  change(tx: Tx, pinned: Ctx, rows: Row[]): Promise<unknown>;
}

/** `sweepRows` for rows of large tables that are due by the database's time. Returns how many rows it looked at. */
export function sweepDue<Row extends { id: string }>(ctx: Ctx, { list, change, ...sweep }: DueSweep<Row>): Promise<number> {
  return sweepRows<Row>(ctx, {
    ...sweep,
    async take(tx, wanted) {
      await updatePlanning(tx);
      return list(tx, wanted);
    },
    nameOf: ({ id }) => id,
    async work(tx, rows) {
      await change(tx, await atNow(ctx, tx), rows);
      return rows.length;
    },
  });
}
