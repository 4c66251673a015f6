import { type Db, type Pipe, type Sent, send, sql } from "../sql.ts";

/**
 * What time it is for everybody: the database's. Where time decides about a row, ask after the statement that locked it: the wait for the lock may have been long.
 * Sent together with that statement it costs no round trip, and is still asked after it.
 */
export function findNow<On extends Db | Pipe>(on: On): Sent<On, Date> {
  return send(on, sql(on)<{ now: Date }>`select app_now() as now`, ([row]) => {
    if (row === undefined) throw new Error("the database told no time");
    return row.now;
  });
}
