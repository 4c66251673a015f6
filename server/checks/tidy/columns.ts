import { type Fault, isProduct, isSqlFile, lineAt, type Rule, type SourceFile } from "../read/sources.ts";
import { readStatements, type Statement, withoutComments } from "../read/statements.ts";
import type { Schema } from "./statements.ts";

/**
 * Statements list the columns that they return. A star over a table means other columns after a migration, and PostgreSQL then refuses what
 * was prepared before it; a star is allowed over what the statement itself makes, a list of values or a `with`. A list of `columns` lists
 * what its table has.
 */
export const columnsAreNamed =
  (schema: Schema): Rule =>
  (files) => [
    ...readStatements(files).flatMap((statement) => starsOf(statement, schema)),
    ...files.filter((file) => isSqlFile(file.path) && isProduct(file.path)).flatMap((file) => oddLists(file, schema)),
  ];

function starsOf(statement: Statement, schema: Schema): Fault[] {
  const text = withoutComments(statement.text);
  // A `?` is a table whose name is elsewhere.
  const selected = [...text.matchAll(/\bselect\s+(?:distinct\s+)?\*[^;]*?\bfrom\s+(?:only\s+|lateral\s+)?(\(|\?|\w+)/gi)].map(
    ([, from = ""]) => from,
  );
  const returned = /\breturning\s+\*/i.test(text) ? ["?"] : [];
  const aliased = [...text.matchAll(/\b(\w+)\.\*/g)].flatMap(([, alias = ""]) => relationsOf(text, alias));
  const table = [...selected, ...returned, ...aliased].find((name) => name === "?" || schema.has(name));
  if (table === undefined) return [];
  const message = `${statement.name} answers every column of ${table === "?" ? "a table" : table}: name them, with \`columns\` where several statements do`;
  return [{ path: statement.path, line: statement.line, message }];
}

/** The tables of an alias anywhere in a statement; a name is its own alias. */
function relationsOf(text: string, alias: string): string[] {
  const named = new RegExp(`(?:\\b(?:from|join|update|into|using)|,)\\s+(?:only\\s+|lateral\\s+)?(\\w+)\\s+(?:as\\s+)?${alias}\\b`, "gi");
  return [alias, ...[...text.matchAll(named)].map(([, relation = ""]) => relation)];
}

function oddLists(file: SourceFile, schema: Schema): Fault[] {
  return [...file.text.matchAll(/\bcolumns\(\s*"(\w+)",\s*["`]([^"`]*)["`]/g)].flatMap((match): Fault[] => {
    const [, table = "", list = ""] = match;
    const names = list.split(",").map((name) => name.trim());
    const odd = names.filter((name) => schema.get(table)?.has(name) !== true);
    return odd.length === 0
      ? []
      : [{ path: file.path, line: lineAt(file.text, match.index), message: `${table} has no column ${odd.join(", ")}` }];
  });
}
