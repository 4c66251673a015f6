import { type Db, sql } from "../sql.ts";

/**
 * What time it is for everybody: the database's. Where time decides about a row, ask after the statement that locked it: the wait for the lock may have been long.
 * Sent together with that statement it costs no round trip, and is still asked after it.
 */
export async function findNow(db: Db): Promise<Date> {
  const [row] = await sql(db)<{ now: Date }>`select app_now() as now`;
  if (row === undefined) throw new Error("the database told no time");
  return row.now;
}
