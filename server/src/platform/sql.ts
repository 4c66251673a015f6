import { type GivenColumns, givenRows as rowsDraft } from "./database/driver/given-rows.ts";
import { Piped, Recorder } from "./database/driver/recorder.ts";
import { type Answer, ColumnNames, Draft, type Sender, Statement, type Written } from "./database/driver/statement.ts";
import { Json } from "./database/driver/values.ts";

declare const insideTransaction: unique symbol;
const handle = Symbol("sql");
const keyed = Symbol("by key");
const unsent = Symbol("unsent");
const senderOf = Symbol("sender");
const recorderOf = Symbol("recorder");
const baseOf = Symbol("base");

/** A value in a `${}` of a statement; it is always sent as a bound parameter. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly unknown[] | object;

/** The result of a statement: its rows, with the number of rows touched as `count`. */
export type Rows<Row> = Answer<Row>;

/** The tagged template, the only way to write SQL. A statement inside another's `${}` is inserted as a fragment. */
export interface Sql {
  <Row extends object = never>(strings: TemplateStringsArray, ...values: SqlValue[]): PromiseLike<Rows<Row>> & Fragment;
  /** Binds a value as jsonb. */
  json(value: unknown): SqlValue;
}

/** A statement that wasn't sent; its result is only available through `send`. */
export interface Unsent<Row extends object> extends Fragment {
  readonly __row?: Row;
}

/** The tag on a handle that may be a pipeline's: its statements can't be awaited. */
export interface PipeSql {
  <Row extends object = never>(strings: TemplateStringsArray, ...values: SqlValue[]): Unsent<Row>;
  json(value: unknown): SqlValue;
}

/** A fragment, to insert into another statement. */
export interface Fragment {
  readonly __fragment?: never;
}

/** A list of a table's columns, to insert into a statement; with an alias through `of`. `Name` are the columns. */
export interface Columns<in Name extends string = never> extends Fragment {
  of(alias: string): Fragment;
  readonly __holds?: (name: Name) => void;
}

/** A list that can be read as a row must name every member. */
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
 * Columns of a table, listed by name: `columns("orders", "id, status")`. After a migration, a star has other columns, for which a prepared
 * statement is refused, and reads columns that no one needs.
 */
export function columns<const List extends string>(_table: string, list: List): Columns<NamesIn<List>> {
  return new ColumnNames(list.split(",").map((name) => name.trim())) as Columns<never> as Columns<NamesIn<List>>;
}

/** A database handle without a query method: only a `sql.ts` file can access the tag through `sql(db)`. */
export interface Db {
  readonly [handle]: Sql;
  readonly [keyed]: Sql;
  readonly [unsent]: PipeSql;
  readonly [senderOf]: Sender;
}

/** A `Db` inside a transaction; only `transact` creates one, so code that needs a transaction requires this type. */
export interface Tx extends Db {
  readonly [insideTransaction]: true;
}

/** The handle that `pipeline` passes to its function: recorded statements are sent together once it has returned. */
export interface Pipe {
  readonly [recorderOf]: Recorder;
  readonly [baseOf]: Db;
}

/** The result of a statement on a handle: on a pipeline a placeholder, which can't be awaited, on any other a promise. */
export type Sent<On, T> = On extends Pipe ? Piped<T> : Promise<T>;

/** What a pipeline can return: results of its statements, lists of them, or nothing. */
type Place = Piped<unknown> | readonly Piped<unknown>[] | null;
type ValuesOf<Places> = { -readonly [Index in keyof Places]: ValueOf<Places[Index]> };
type ValueOf<P> = P extends Piped<infer T> ? T : P extends readonly Piped<infer U>[] ? U[] : P;

/**
 * Sends statements that don't depend on each other's results with one write; they run in the order in which they are recorded. `write`
 * returns the results to read. In a transaction, one failure fails them all: the error is that of the first, with its text as `statement`.
 * Outside one, each has its own connection.
 */
export async function pipeline<const Places extends readonly Place[]>(db: Db, write: (pipe: Pipe) => Places): Promise<ValuesOf<Places>> {
  const sender = db[senderOf];
  return sendTogether(db, write, (statements) => sender.sendAll?.(statements) ?? statements.map((written) => sender.send(written)));
}

/**
 * Like `pipeline`, for the last statements of a transaction: its COMMIT is sent after them without waiting for their results. A failure
 * still undoes everything, and `transact` resolves once the COMMIT has a response; but an error thrown afterwards undoes nothing, and
 * nothing more can be sent. Only for the code that began the transaction. If more is written after the work, such as the request's key, or
 * in a savepoint, the COMMIT is sent at its usual time.
 */
export async function commitWith<const Places extends readonly Place[]>(tx: Tx, write: (pipe: Pipe) => Places): Promise<ValuesOf<Places>> {
  const { sendLast } = tx[senderOf];
  const isLast = baseHandle(tx) === tx && !unfinished.has(tx);
  return sendLast === undefined || !isLast ? pipeline(tx, write) : sendTogether(tx, write, sendLast);
}

const unfinished = new WeakSet<Tx>();

/** Notes that something is written after the work of a transaction: the work's last statements aren't the transaction's. */
export function writesMore(tx: Tx): void {
  unfinished.add(baseHandle(tx));
}

async function sendTogether<const Places extends readonly Place[]>(
  db: Db,
  write: (pipe: Pipe) => Places,
  sendAll: (statements: readonly Written[]) => Promise<Answer<unknown>>[],
): Promise<ValuesOf<Places>> {
  const recorder = new Recorder();
  const places = write({ [recorderOf]: recorder, [baseOf]: db });
  await recorder.send(sendAll);
  return places.map((place) => (place instanceof Piped ? place.value() : (place?.map((one) => one.value()) ?? null))) as never;
}

/** Sends a statement and reads its rows; on a pipeline's handle it is recorded. */
export function send<On extends Db | Pipe, Row extends object, T>(
  on: On,
  statement: Unsent<Row>,
  read: (rows: Rows<Row>) => T,
): Sent<On, T> {
  if (isPipe(on)) return on[recorderOf].add(statement as Draft, read) as Sent<On, T>;
  return (statement as PromiseLike<Rows<Row>>).then(read) as Sent<On, T>;
}

/** The equivalent of a `send` result if nothing needs to be sent. */
export function known<On extends Db | Pipe, T>(on: On, value: T): Sent<On, T> {
  return (isPipe(on) ? new Piped(() => value, []) : Promise.resolve(value)) as Sent<On, T>;
}

/** Maps a statement's result. */
export function after<On extends Db | Pipe, T, U>(on: On, sent: Sent<On, T>, read: (value: T) => U): Sent<On, U> {
  return (isPipe(on) ? (sent as Piped<T>).map(read) : (sent as Promise<T>).then(read)) as Sent<On, U>;
}

/** Maps a statement's failure: `refuse` returns the error to throw instead. */
export function refusing<On extends Db | Pipe, T>(on: On, sent: Sent<On, T>, refuse: (error: unknown) => unknown): Sent<On, T> {
  if (isPipe(on)) return (sent as Piped<T>).refusing(refuse) as Sent<On, T>;
  return (sent as Promise<T>).catch((error: unknown) => {
    throw refuse(error);
  }) as Sent<On, T>;
}

/** The first row, or null. */
export function firstRow<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null;
}

/** The transaction of a pipeline or a savepoint, or the database; any other handle is returned unchanged. */
export function baseHandle<D extends Db>(on: D | Pipe): D {
  const base = (on as { [baseOf]?: D | Pipe })[baseOf];
  return base === undefined ? (on as D) : baseHandle(base);
}

function isPipe(on: Db | Pipe): on is Pipe {
  return recorderOf in on;
}

/** Runs `work` in a savepoint of `tx`: a refusal undoes only `work` and is returned as the value, any other error is rethrown. */
export async function trySavepoint<T>(
  tx: Tx,
  work: (inner: Tx) => Promise<T>,
  expected: (error: unknown) => boolean,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  const sender = tx[senderOf];
  try {
    if (sender.savepoint === undefined) throw new Error("a savepoint needs a transaction");
    return { ok: true, value: await sender.savepoint((inner) => work(Object.assign(wrapSql<Tx>(inner), { [baseOf]: baseHandle(tx) }))) };
  } catch (error) {
    if (!expected(error)) throw error;
    return { ok: false, error };
  }
}

/** Opens the handle. Import rules only allow this in `sql.ts` files. */
export function sql(db: Db): Sql;
export function sql(on: Db | Pipe): PipeSql;
export function sql(on: Db | Pipe): PipeSql {
  return isPipe(on) ? on[baseOf][unsent] : on[handle];
}

/**
 * The tag of short reads by a primary or unique key, which change nothing and wait for no lock: outside a transaction they share
 * connections, so a slow one would delay others. A check verifies each of them.
 */
export function byKey(db: Db): Sql;
export function byKey(on: Db | Pipe): PipeSql;
export function byKey(on: Db | Pipe): PipeSql {
  return isPipe(on) ? on[baseOf][unsent] : on[keyed];
}

/** A handle whose statements go through `sender`. Fragments pass its probe too; their text becomes part of the statement around them. */
export function wrapSql<D extends Db>(sender: Sender): D {
  const json = (value: unknown) => new Json(value);
  const tagOf = (sending: Sender["send"]) => {
    const tag = (strings: TemplateStringsArray, ...values: unknown[]) => {
      sender.probe?.(strings.join("?"));
      return new Statement(strings, values, sending);
    };
    return Object.assign(tag, { json });
  };
  const draft = (strings: TemplateStringsArray, ...values: unknown[]) => {
    sender.probe?.(strings.join("?"));
    return new Draft(strings, values);
  };
  const tag = tagOf((written) => sender.send(written));
  const keyedTag = sender.read === undefined ? tag : tagOf(sender.read.bind(sender));
  return { [handle]: tag, [keyed]: keyedTag, [unsent]: Object.assign(draft, { json }), [senderOf]: sender } as unknown as D;
}

/** The page of a list. Without a cursor: the first page. */
export interface PageCut {
  starting_after?: string | number;
  ending_before?: string | number;
  limit: number;
  /** The list starts with the lowest value instead of the highest. */
  ascending?: boolean;
  /** The list has no conditions but its tenant, so one plan is right for each of its pages. */
  unfiltered?: boolean;
}

/** The page of a list whose only conditions, apart from its tenant, are its filters. */
export function cutOf(given: { filters: object; cut: PageCut | null }): PageCut | null {
  return given.cut === null ? null : { ...given.cut, unfiltered: Object.values(given.filters).every((value) => value === undefined) };
}

/**
 * The end of a list's statement, after its conditions: cursor, order and limit of a page, plus one row that shows whether more follow.
 * Empty for null, when `readPage` counts all rows.
 */
export function listEnd(db: Db, column: Fragment, cut: PageCut | null): Fragment {
  const tag = sql(db);
  if (cut === null) return tag``;
  const cursor = cut.starting_after ?? cut.ending_before;
  const descending = (cut.ending_before === undefined) !== (cut.ascending === true);
  const after = cursor === undefined ? tag`` : descending ? tag`and ${column} < ${cursor}` : tag`and ${column} > ${cursor}`;
  return tag`${after} order by ${column} ${descending ? tag`desc` : tag`asc`} ${limitOf(tag, cut)}`;
}

/**
 * With a parameter as limit, PostgreSQL expects a tenth of the table and plans each page again, which takes as long as reading it. So the
 * usual limits are part of the text, but only if no filter needs a plan for its values.
 */
function limitOf(tag: Sql, { limit, unfiltered }: PageCut): Fragment {
  if (unfiltered === true && limit === 20) return tag`limit 21`;
  if (unfiltered === true && limit === 50) return tag`limit 51`;
  if (unfiltered === true && limit === 100) return tag`limit 101`;
  return tag`limit ${limit + 1}`;
}

/** The `like` pattern for texts with a prefix, whatever its characters. */
export function likeStart(text: string): string {
  return `${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Projects and environments as a relation `key (project_id, livemode)`. */
export function givenTenants(on: Db | Pipe, tenants: readonly { project_id: string; livemode: boolean }[]): Fragment {
  return sql(on)`
    unnest(${tenants.map(({ project_id }) => project_id)}::text[], ${tenants.map(({ livemode }) => String(livemode))}::text[]::boolean[])
    as key (project_id, livemode)`;
}

/** Rows passed to a statement, as a relation to insert into it. */
export function givenRows(alias: string, columns: GivenColumns, rows: readonly object[]): Fragment {
  return rowsDraft(alias, columns, rows) as Fragment;
}

/**
 * JSON texts as one value, which `string_to_array(…, chr(31))` splits again. JSON never contains that character unescaped, so no escaping
 * is needed, unlike for JSON's quotes in an array.
 */
export function joinJson(texts: readonly string[]): string {
  return texts.join("\u001f");
}
