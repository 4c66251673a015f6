import type postgres from "postgres";

declare const insideTransaction: unique symbol;
const handle = Symbol("sql");
const source = Symbol("source");
const probeOf = Symbol("probe");
type Probe = (text: string) => void;

/** A value that may stand in a `${}` of a statement; it always travels as a bound parameter. */
export type SqlValue = postgres.ParameterOrFragment<never> | Date | Uint8Array | readonly unknown[] | object;

/** What a statement answers: its rows, with the number of rows touched as `count`. */
export type Rows<Row> = Row[] & { count: number };

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

/** A database handle. It shows no query method: only a `sql.ts` file can reach the tag through `sql(db)`. */
export interface Db {
  readonly [handle]: Sql;
  readonly [source]: postgres.Sql | postgres.TransactionSql;
  readonly [probeOf]: Probe | undefined;
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
  const raw = tx[source] as postgres.TransactionSql;
  try {
    const value = await raw.savepoint((inner) => work(wrapSql<Tx>(inner, tx[probeOf])));
    return { ok: true, value: value as T };
  } catch (error) {
    if (!expected(error)) throw error;
    return { ok: false, error };
  }
}

/** Opens the handle. Import rules allow this in `sql.ts` files alone. */
export function sql(db: Db): Sql {
  return db[handle];
}

/** Wraps a postgres.js tag. `probe` sees every statement before it is sent (tests make it throw to play a crash). */
export function wrapSql<D extends Db>(raw: postgres.Sql | postgres.TransactionSql, probe?: Probe): D {
  return { [handle]: probe === undefined ? (raw as unknown as Sql) : probed(raw, probe), [source]: raw, [probeOf]: probe } as unknown as D;
}

/** Fragments pass the probe too; their text is part of the statement they are spliced into. */
function probed(raw: postgres.Sql | postgres.TransactionSql, probe: Probe): Sql {
  const tag = (strings: TemplateStringsArray, ...values: never[]) => {
    probe(strings.join("?"));
    return (raw as postgres.Sql)(strings, ...values);
  };
  return Object.assign(tag, { json: raw.json.bind(raw) }) as unknown as Sql;
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
