import type { Fragment, Sql } from "../sql.ts";

/** Which rows a sweep takes. */
export interface WantedRows {
  limit: number;
  /** Only the row with this name. */
  only?: string;
  /** Names of rows that are left out. */
  without?: readonly string[];
}

/** A condition of a sweep's statement, beginning with `and`: the rows that are wanted. `name` is what the statement names a row by. */
export function amongWanted(tag: Sql, name: Fragment, { only, without = [] }: WantedRows): Fragment {
  if (only !== undefined) return tag`and ${name} = ${only}`;
  return without.length === 0 ? tag`` : tag`and ${name} <> all(${without}::text[])`;
}
