import { type MasterKeys, open, type SealPlace, seal } from "../secrets.ts";
import type { Fragment, Sql } from "../sql.ts";

/**
 * A room's own column whose values are sealed under numbered keys, so that a rotation finds every one. Code that changes such a column
 * locks its row before reading it, or compares with the value it read.
 */
export interface SealedColumn {
  /** `table.column`, as operators and the schema know it. */
  name: string;
  table(tag: Sql): Fragment;
  column(tag: Sql): Fragment;
  /** The column that identifies and orders its rows. */
  row(tag: Sql): Fragment;
  /**
   * What someone who reads its values from an old copy of the database can still use, one for each value; null if nothing, or if another
   * column of the same row already counts it. `master-keys revoke` lists it.
   */
  exposes: Exposed | null;
  /** Which rows can have a sealed value, if a table has many others. */
  where(tag: Sql): Fragment;
  /** The prefix of every sealed value, and the character after its key number. */
  marks: readonly [before: string, after: string];
  /** The number of the current key. */
  target(keys: MasterKeys): number;
  /** Throws if the value can't be opened. */
  open(keys: MasterKeys, stored: Stored): Promise<Buffer>;
  seal(keys: MasterKeys, row: string, plain: Buffer): Promise<string>;
}

/** A kind of secret that stays valid after its sealed value was read from an old copy of the database. */
export interface Exposed {
  one: string;
  /** Without it, an s is added. */
  many?: string;
  /** How operators end it. */
  remedy: string;
}

/** A sealed value and its row. */
export interface Stored {
  row: string;
  sealed: string;
}

/** A column whose values `seal` creates. `place` is the column that they are bound to, if it differs. */
export function sealedColumn(
  given: Pick<SealedColumn, "table" | "column" | "row" | "exposes"> &
    Partial<Pick<SealedColumn, "where">> & { name: `${string}.${string}`; place?: string },
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
