import { type Fault, isProduct, isSqlFile, lineAt, type Rule } from "../read/sources.ts";
import { readStatements, type Statement, withoutComments } from "../read/statements.ts";

/** The primary and unique keys of each table, as docs/schema.sql prints them, without partial ones. */
export type Keys = ReadonlyMap<string, readonly (readonly string[])[]>;

export function readKeys(schema: string): Keys {
  const keys = new Map<string, string[][]>();
  const add = (table: string, list: string) => {
    const columns = list.split(",").map((column) => column.trim().replaceAll('"', ""));
    if (columns.every((column) => /^\w+$/.test(column))) keys.set(table, [...(keys.get(table) ?? []), columns]);
  };
  for (const [, table = "", body = ""] of schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\);?$/gm))
    for (const [, list = ""] of body.matchAll(/ (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g)) add(table, list);
  for (const [, table = "", list = ""] of schema.matchAll(/^CREATE UNIQUE INDEX \w+ ON public\.(\w+) USING btree \(([^)]*)\);$/gm))
    add(table, list);
  return keys;
}

/**
 * What `byKey` sends shares its connection with other callers: it is short, changes nothing and waits for no lock. So it finds one row,
 * each of its tables by a whole key.
 */
export const sharedReadsAreShort =
  (keys: Keys): Rule =>
  (files) => [
    ...readStatements(files)
      .filter(({ tag }) => isKeyed(tag))
      .flatMap((statement) => faultsIn(statement, keys)),
    ...files
      .filter(({ path }) => isSqlFile(path) && isProduct(path))
      .flatMap((file) =>
        [...file.text.matchAll(/\bbyKey\((?!\w+\)\s*(?:<[^`;]*>)?\s*`)(?!\w+: )/g)].map((match) => ({
          path: file.path,
          line: lineAt(file.text, match.index),
          message: "hands the tag of shared reads on: write the statement right behind it, so that it can be checked",
        })),
      ),
  ];

function isKeyed(tag: string): boolean {
  return tag.startsWith("byKey(");
}

function faultsIn(statement: Statement, keys: Keys): Fault[] {
  const text = withoutComments(statement.text);
  const fault = (message: string): Fault => ({
    path: statement.path,
    line: statement.line,
    message: `${statement.name} ${message}: use \`sql\``,
  });
  if (!/^find[A-Z]/.test(statement.name)) return [fault("is a shared read, and does not find one row")];
  if (
    !/^select\b/i.test(text.trim()) ||
    /\b(?:for\s+(?:no\s+key\s+)?update|for\s+(?:key\s+)?share|nextval|set_config|pg_\w+)\b/i.test(text)
  )
    return [fault("is a shared read, and may write or wait")];
  const tables = relationsOf(text).filter(({ table }) => keys.has(table));
  const loose = tables.find(
    (relation) =>
      !(keys.get(relation.table) ?? []).some((key) =>
        key.every((column) => isBound(text, { ...relation, column, isOnly: tables.length === 1 })),
      ),
  );
  if (tables.length === 0) return [fault("is a shared read of no table")];
  return loose === undefined ? [] : [fault(`is a shared read, and does not name a whole key of ${loose.table}`)];
}

interface Relation {
  table: string;
  alias: string;
}

function relationsOf(text: string): Relation[] {
  const named =
    /\b(?:from|join)\s+(?:only\s+|lateral\s+)?(\w+)(?:\s+(?:as\s+)?(?!(?:where|join|on|left|right|cross|inner|order|group|limit|union)\b)(\w+))?/gi;
  return [...text.matchAll(named)].map(([, table = "", alias]) => ({ table, alias: alias ?? table }));
}

function isBound(text: string, { alias, column, isOnly }: Relation & { column: string; isOnly: boolean }): boolean {
  const qualified = new RegExp(`\\b${alias}\\.${column}\\s*=|=\\s*${alias}\\.${column}\\b`);
  return qualified.test(text) || (isOnly && new RegExp(`(?<![\\w.])${column}\\s*=\\s*\\?`).test(text));
}
