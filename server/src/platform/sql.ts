import { type Answer, ColumnNames, type Sender, Statement } from "./database/driver/statement.ts";
import { Json } from "./database/driver/values.ts";

declare const insideTransaction: unique symbol;
const handle = Symbol("sql");
const senderOf = Symbol("sender");

/** A value that may stand in a `${}` of a statement; it always travels as a bound parameter. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly unknown[] | object;

/** What a statement answers: its rows, with the number of rows touched as `count`. */
export type Rows<Row> = Answer<Row>;

/** The tagged template that is the only way to write SQL. A statement written inside another's `${}` is spliced in as a fragment. */
export interface Sql {
  <Row extends object = never>(strings: TemplateStringsArray, ...values: SqlValue[]): PromiseLike<Rows<Row>> & Fragment;
  /** Binds a value as jsonb. */
  json(value: unknown): SqlValue;
}

/** An unfinished statement, to be spliced into another one. */
export interface Fragment {
  readonly __fragment?: never;
}

/** A list of a table's columns, to be spliced into a statement; after an alias with `of`. `Name` are those that it holds. */
export interface Columns<in Name extends string = never> extends Fragment {
  of(alias: string): Fragment;
  readonly __holds?: (name: Name) => void;
}

/** What a list must be to be read as a row: it names every member. */
export type ColumnsOf<Row extends object> = Columns<keyof Row & string>;

type NamesIn<List extends string, Found extends string = never> = List extends `${infer Name},${infer Rest}`
  ? NamesIn<Rest, Found | Trimmed<Name>>
  : Found | Trimmed<List>;
type Trimmed<Text extends string> = Text extends `${" " | "\n"}${infer Rest}`
  ? Trimmed<Rest>
  : Text extends `${infer Rest}${" " | "\n"}`
    ? Trimmed<Rest>
    : Text;

/**
 * Columns of a table, named one by one: `columns("orders", "id, status")`. A star stands for other columns after a migration, which a prepared statement is refused for,
 * and reads what nobody asked for.
 */
export function columns<const List extends string>(_table: string, list: List): Columns<NamesIn<List>> {
  return new ColumnNames(list.split(",").map((name) => name.trim())) as Columns<never> as Columns<NamesIn<List>>;
}

/** A database handle. It shows no query method: only a `sql.ts` file can reach the tag through `sql(db)`. */
export interface Db {
  readonly [handle]: Sql;
  readonly [senderOf]: Sender;
}

/** A `Db` inside a transaction; only `transact` makes one, so what needs a transaction asks for it by type. */
export interface Tx extends Db {
  readonly [insideTransaction]: true;
}

/**
 * Runs `work` in a savepoint of `tx`: a refused statement undoes `work` alone and comes back as the value, everything else is thrown on.
 */
export async function trySavepoint<T>(
  tx: Tx,
  work: (inner: Tx) => Promise<T>,
  expected: (error: unknown) => boolean,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  const sender = tx[senderOf];
  try {
    if (sender.savepoint === undefined) throw new Error("a savepoint needs a transaction");
    return { ok: true, value: await sender.savepoint((inner) => work(wrapSql<Tx>(inner))) };
  } catch (error) {
    if (!expected(error)) throw error;
    return { ok: false, error };
  }
}

/** Opens the handle. Import rules allow this in `sql.ts` files alone. */
export function sql(db: Db): Sql {
  return db[handle];
}

/** A handle whose statements go through `sender`. Fragments pass its probe too; their text is part of the statement they are spliced into. */
export function wrapSql<D extends Db>(sender: Sender): D {
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) => {
    sender.probe?.(strings.join("?"));
    return new Statement(strings, values, (written) => sender.send(written));
  };
  return { [handle]: Object.assign(tag, { json: (value: unknown) => new Json(value) }), [senderOf]: sender } as unknown as D;
}

/** Which rows of a list a page shows. Neither cursor: the first page. */
export interface PageCut {
  starting_after?: string | number;
  ending_before?: string | number;
  limit: number;
  /** The list starts with the lowest value instead of the highest. */
  ascending?: boolean;
}

/**
 * The end of a list's statement, after its conditions: cursor, order and limit of a page, with one row more, which tells whether more follow. Empty for
 * null, when `readPage` counts all rows.
 */
export function listEnd(db: Db, column: Fragment, cut: PageCut | null): Fragment {
  const tag = sql(db);
  if (cut === null) return tag``;
  const cursor = cut.starting_after ?? cut.ending_before;
  const descending = (cut.ending_before === undefined) !== (cut.ascending === true);
  const after = cursor === undefined ? tag`` : descending ? tag`and ${column} < ${cursor}` : tag`and ${column} > ${cursor}`;
  return tag`${after} order by ${column} ${descending ? tag`desc` : tag`asc`} limit ${cut.limit + 1}`;
}

/**
 * JSON texts as one value, which `string_to_array(…, chr(31))` takes apart again. JSON never holds that character as it is, so that nothing
 * needs the escaping that the quotes of JSON cost in an array.
 */
export function joinJson(texts: readonly string[]): string {
  return texts.join("\u001f");
}
