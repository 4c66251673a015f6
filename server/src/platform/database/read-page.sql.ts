import type { Tenant } from "../context.ts";
import { platformErrors } from "../errors.ts";
import { type Db, type Fragment, type PageCut, type Rows, sql } from "../sql.ts";

/** The page a caller requests: row ids as cursors, and whether to count all rows. */
export interface PageQuery {
  starting_after?: string;
  ending_before?: string;
  limit: number;
  total?: boolean;
}

/** One page of a list. */
export interface Page<Row> {
  rows: Row[];
  has_more: boolean;
  /** It was read with `ending_before`, so more rows come before its first one. */
  upwards: boolean;
  /** Number of all matching rows, if requested. */
  total_count?: number;
}

/** A list that `readPage` reads. */
export interface Listing<Row extends object> {
  /** The list's statement, which ends with `listEnd`. */
  find(cut: PageCut | null): PromiseLike<Rows<Row>> & Fragment;
  /** The cursor's row in the list; null if it isn't one. A number replaces the cursor in the statement. */
  place(cursor: string): Promise<unknown>;
  /** The statement selects `findCursor`, so `place` is only asked about the cursor of an empty page. */
  findsCursor?: true;
}

/** The member of a list's row that `findCursor` selects. */
export interface CursorFound {
  cursor_found?: boolean;
}

/** Reads one page of a list and counts the whole list if asked to. Throws invalid_cursor. */
export async function readPage<Row extends object>(db: Db, query: PageQuery, listing: Listing<Row>): Promise<Page<Row>> {
  const upwards = query.ending_before !== undefined;
  const rows = await findRows(query, listing);
  const shown = rows.slice(0, query.limit);
  if (upwards) shown.reverse();
  const total = query.total === true ? { total_count: await countRows(db, listing.find(null)) } : {};
  return { rows: shown, has_more: rows.length > query.limit, upwards, ...total };
}

/** The page of a list that is short enough to be read in full. Throws invalid_cursor. */
export function cutPage<Row extends { id: string }>(all: Row[], query: PageQuery): Page<Row> {
  const upwards = query.ending_before !== undefined;
  const cursor = query.starting_after ?? query.ending_before;
  const at = all.findIndex((row) => row.id === cursor);
  if (cursor !== undefined && at === -1) throw platformErrors.invalid_cursor({ param: upwards ? "ending_before" : "starting_after" });
  const rest = cursor === undefined ? all : upwards ? all.slice(0, at) : all.slice(at + 1);
  const rows = upwards ? rest.slice(-query.limit) : rest.slice(0, query.limit);
  return { rows, has_more: rest.length > rows.length, upwards, ...(query.total === true ? { total_count: all.length } : {}) };
}

/**
 * Another column of a list by id, after its others: whether the cursor's row exists. A statement of its own for that would cost a page a
 * fifth of its time. Empty without a cursor.
 */
export function findCursor(db: Db, tenant: Tenant, { table, cut }: { table: Fragment; cut: PageCut | null }): Fragment {
  const tag = sql(db);
  const id = cut?.starting_after ?? cut?.ending_before;
  if (id === undefined) return tag``;
  const { project_id, livemode } = tenant;
  return tag`, exists (select from ${table} c where c.project_id = ${project_id} and c.livemode = ${livemode} and c.id = ${id})
    as cursor_found`;
}

async function findRows<Row extends object>(query: PageQuery, listing: Listing<Row>): Promise<Rows<Row>> {
  const { limit } = query;
  const param = query.ending_before === undefined ? "starting_after" : "ending_before";
  const id = query[param];
  if (id === undefined) return listing.find({ limit });
  if (listing.findsCursor !== true) return listing.find({ limit, [param]: await placeOf(listing, { param, id }) });
  const rows = await listing.find({ limit, [param]: id });
  const [first] = rows as CursorFound[];
  if (first === undefined) await placeOf(listing, { param, id });
  if (first?.cursor_found === false) throw platformErrors.invalid_cursor({ param });
  return rows;
}

async function placeOf(listing: Pick<Listing<object>, "place">, { param, id }: { param: string; id: string }): Promise<string | number> {
  const place = await listing.place(id);
  if (place === null) throw platformErrors.invalid_cursor({ param });
  return typeof place === "number" ? place : id;
}

async function countRows(db: Db, statement: Fragment): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*) as count from (${statement}) listed`;
  return row?.count ?? 0;
}
