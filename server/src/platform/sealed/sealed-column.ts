import { type MasterKeys, open, type SealPlace, seal } from "../secrets.ts";
import type { Fragment, Sql } from "../sql.ts";

/**
 * A room's own column whose values are sealed under numbered keys, so that a rotation finds every one. Who changes such a column locks its row before reading
 * it, or compares with what was read.
 */
export interface SealedColumn {
  /** `table.column`, as operators and the schema know it. */
  name: string;
  table(tag: Sql): Fragment;
  column(tag: Sql): Fragment;
  /** Tells its rows apart and is what they are walked by. */
  row(tag: Sql): Fragment;
  /** Which rows may hold a sealed value, where a table has many others. */
  where(tag: Sql): Fragment;
  /** What every sealed value begins with, and what ends the number that follows. */
  marks: readonly [before: string, after: string];
  /** The number of the key that seals now. */
  target(keys: MasterKeys): number;
  /** Throws when the value does not open. */
  open(keys: MasterKeys, stored: Stored): Promise<Buffer>;
  seal(keys: MasterKeys, row: string, plain: Buffer): Promise<string>;
}

/** A sealed value and the row that it is in. */
export interface Stored {
  row: string;
  sealed: string;
}

/** A column whose values `seal` makes. `place` is the column that they are bound to, where that is another. */
export function sealedColumn(
  given: Pick<SealedColumn, "table" | "column" | "row"> & Partial<Pick<SealedColumn, "where">> & { name: `${string}.${string}`; place?: string },
): SealedColumn {
  const [table = "", column = ""] = given.name.split(".");
  const placeOf = (row: string): SealPlace => ({ table, column: given.place ?? column, row });
  return {
    where: (tag) => tag`true`,
    ...given,
    marks: ["v1.", "."],
    target: ({ current }) => current,
    open: async (keys, { row, sealed }) => open(keys, placeOf(row), sealed),
    seal: async (keys, row, plain) => seal(keys, placeOf(row), plain),
  };
}
