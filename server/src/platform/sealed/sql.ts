import { type Db, givenRows, sql, type Tx } from "../sql.ts";
import type { SealedColumn, Stored } from "./sealed-column.ts";

/** How many values each key has sealed in a column. */
export async function countSealed(db: Db, of: SealedColumn): Promise<{ number: number; count: number }[]> {
  const tag = sql(db);
  const [before, after] = of.marks;
  return tag<{ number: number; count: number }>`
    -- all tenants: master keys seal the secrets of all
    select split_part(substr(t.sealed, ${before.length + 1}::int), ${after}, 1)::int as number, count(*)::int as count
    from (select ${of.column(tag)} as sealed from ${of.table(tag)} where ${of.where(tag)}) t
    where starts_with(t.sealed, ${before}) group by 1 order by 1`;
}

/** Any value that a key has sealed in a column, or null. */
export async function findSealedBy(db: Db, of: SealedColumn, number: number): Promise<Stored | null> {
  const tag = sql(db);
  const [row] = await tag<Stored>`
    -- all tenants: master keys seal the secrets of all
    select ${of.row(tag)} as "row", ${of.column(tag)} as sealed from ${of.table(tag)}
    where ${of.where(tag)} and starts_with(${of.column(tag)}, ${of.marks.join(String(number))}) limit 1`;
  return row ?? null;
}

/** A column's next values, by row, that another key than this one has sealed. */
export async function listSealedByOthers(
  db: Db,
  of: SealedColumn,
  given: { number: number; after: string; limit: number },
): Promise<Stored[]> {
  const tag = sql(db);
  return tag<Stored>`
    -- all tenants: master keys seal the secrets of all
    select ${of.row(tag)} as "row", ${of.column(tag)} as sealed from ${of.table(tag)}
    where ${of.where(tag)} and ${of.row(tag)} > ${given.after}
      and starts_with(${of.column(tag)}, ${of.marks[0]}) and not starts_with(${of.column(tag)}, ${of.marks.join(String(given.number))})
    order by 1 limit ${given.limit}`;
}

/** The replacement for a value that was read. */
export interface ResealedValue {
  named: string;
  was: string;
  becomes: string;
}

/**
 * Writes re-sealed values if the stored ones are unchanged; returns how many. Locked rows are left for the next pass, so that neither side
 * waits.
 */
export async function updateResealed(tx: Tx, of: SealedColumn, values: readonly ResealedValue[]): Promise<number> {
  const tag = sql(tx);
  const rows = await tag`
    -- all tenants: master keys seal the secrets of all
    with held as (
      select t.ctid as place, g.becomes from ${of.table(tag)} t
      join ${givenRows("g", { named: "text", was: "text", becomes: "text" }, values)} on ${of.row(tag)} = g.named collate "C"
        and ${of.column(tag)} = g.was
      where ${of.where(tag)} for no key update of t skip locked)
    update ${of.table(tag)} t set ${of.column(tag)} = h.becomes from held h where t.ctid = h.place`;
  return rows.count;
}
