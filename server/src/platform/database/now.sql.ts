import { type Db, type Pipe, type Sent, send, sql } from "../sql.ts";

/**
 * The time for all processes: the database's. To decide about a row, read it after the statement that locked the row, because the wait for
 * the lock may have been long. Sent together with that statement, it costs no round trip and is still evaluated after it.
 */
export function findNow<On extends Db | Pipe>(on: On): Sent<On, Date> {
  return send(on, sql(on)<{ now: Date }>`select app_now() as now`, ([row]) => {
    if (row === undefined) throw new Error("the database told no time");
    return row.now;
  });
}
