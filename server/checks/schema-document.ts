import type { Db } from "#platform/index.ts";
import { listColumns, listConstraints, listExtensions, listFunctions, listIndexes, listTriggers, type NamedRow } from "./schema.sql.ts";

/**
 * `docs/schema.sql`: the schema that results from the migrations, in a fixed order, so that a change of the schema is read in one place.
 */
export async function schemaDocument(db: Db): Promise<string> {
  const [extensions, functions, columns, constraints, indexes, triggers] = [
    await listExtensions(db),
    await listFunctions(db),
    await listColumns(db),
    byTable(await listConstraints(db)),
    byTable(await listIndexes(db)),
    byTable(await listTriggers(db)),
  ];
  const tables = [...Map.groupBy(columns, (column) => column.table)].map(([table, lines]) =>
    [
      `create table ${table} (`,
      [...lines.map(({ line }) => line), ...(constraints.get(table) ?? [])].map((line) => `  ${line}`).join(",\n"),
      ");",
      ...[...(indexes.get(table) ?? []), ...(triggers.get(table) ?? [])].map((line) => `${line};`),
    ].join("\n"),
  );
  const head = "-- What the migrations amount to. Written by `npm run generate`.";
  const made = [
    ...extensions.map(({ name }) => `create extension ${name};`),
    ...functions.map(({ definition }) => `${definition.trim()};`),
  ];
  return `${[head, ...made, ...tables].join("\n\n")}\n`;
}

function byTable(rows: NamedRow[]): Map<string, string[]> {
  return new Map([...Map.groupBy(rows, (row) => row.table)].map(([table, group]) => [table, group.map((row) => row.definition)]));
}
