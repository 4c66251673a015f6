import { Draft } from "./statement.ts";
import { Json } from "./values.ts";

/** Columns of rows that are passed to a statement, with their types. */
export type GivenColumns = Readonly<Record<string, "text" | "text[]" | "boolean" | "bigint" | "jsonb" | "timestamptz">>;

const plainName = /^[a-z_]+$/;

/**
 * Rows passed to a statement, as a relation with the name `alias`; missing values are null. One row is a select without a table, which
 * PostgreSQL plans as if its values were compared directly. Several are passed as JSON, for which it assumes a hundred rows.
 */
export function givenRows(alias: string, columns: GivenColumns, rows: readonly object[]): Draft {
  const named = Object.entries(columns);
  for (const name of [alias, ...named.map(([column]) => column)])
    if (!plainName.test(name)) throw new TypeError(`not a plain name: ${name}`);
  const [only, ...others] = rows as readonly Record<string, unknown>[];
  if (only === undefined || others.length > 0)
    return new Draft(
      ["jsonb_to_recordset(", `) as ${alias} (${named.map(([name, type]) => `${name} ${type}`).join(", ")})`],
      [new Json(rows)],
    );
  const between = named.map(([name, type], index) => `::${type} as ${name}${index === named.length - 1 ? `) ${alias}` : ", "}`);
  return new Draft(
    ["(select ", ...between],
    named.map(([name, type]) => (type === "jsonb" && only[name] != null ? new Json(only[name]) : (only[name] ?? null))),
  );
}
