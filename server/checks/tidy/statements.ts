import { type Fault, faultsOf, type Rule, roomOf } from "../read/sources.ts";
import { readStatements, type Statement, withoutComments } from "../read/statements.ts";

/** Columns of the schema by table, as docs/schema.sql prints them. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>;

export function readSchema(text: string): Schema {
  const tables = [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\);?$/gm)];
  return new Map(
    tables.map(([, table = "", body = ""]) => [table, new Set([...body.matchAll(/^ {2}"?(\w+)"? /gm)].map(([, column = ""]) => column))]),
  );
}

/** A table is written by the statements of one room. */
export const oneWriterATable =
  (schema: Schema): Rule =>
  (files) => {
    const writers = new Map<string, Statement>();
    return readStatements(files).flatMap((statement) =>
      [...writtenTables(statement.text)]
        .filter((table) => schema.has(table))
        .flatMap((table): Fault[] => {
          const first = writers.get(table) ?? statement;
          writers.set(table, first);
          if (roomOf(first.path) === roomOf(statement.path)) return [];
          return [{ path: statement.path, line: statement.line, message: `writes ${table}, which ${first.path} owns: call that room` }];
        }),
    );
  };

/** Every statement on a tenant's table is bound to one project and environment, or says why it covers all tenants. */
export const tenantWall =
  (schema: Schema): Rule =>
  (files) =>
    readStatements(files)
      .filter((statement) => exceptionOf(statement) === null)
      .flatMap((statement): Fault[] => {
        const tables = tenantTables(statement.text, schema);
        const missing = ["project_id", "livemode"].filter(
          (column) => tables.some((table) => schema.get(table)?.has(column)) && !isBound(statement.text, column),
        );
        if (missing.length === 0) return [];
        const message = `${statement.name} reaches ${tables.join(", ")} without ${missing.join(" and ")}: bind both to the tenant, or say \`-- all tenants: <reason>\` in the statement`;
        return [{ path: statement.path, line: statement.line, message }];
      });

/** Distributed PostgreSQL has neither advisory locks nor NOTIFY nor deferrable constraints; time is `app_now()`. */
export const plainSql: Rule = (files) => [
  ...files
    .filter((file) => file.path.endsWith(".sql"))
    .flatMap((file) =>
      faultsOf(
        file,
        /\bpg_(?:try_)?advisory|\bnotify\b|\bdeferrable\b/gi,
        "no advisory locks, NOTIFY or deferrable constraints: use a lease row or a plain constraint",
      ),
    ),
  ...readStatements(files).flatMap((statement): Fault[] => {
    const text = withoutComments(statement.text);
    const at = { path: statement.path, line: statement.line };
    return [
      ...(/\bpg_(?:try_)?advisory|\bnotify\b|\bdeferr(?:able|ed)\b/i.test(text)
        ? [{ ...at, message: "no advisory locks, NOTIFY or deferrable constraints: use a lease row" }]
        : []),
      ...(/\b(?:now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_timestamp\b/i.test(text)
        ? [{ ...at, message: "reads a clock of its own: write app_now(), which all processes share and tests move" }]
        : []),
    ];
  }),
];

/** The reason after `-- all tenants:`, or null. */
export function exceptionOf(statement: Statement): string | null {
  return /--\s*all tenants:\s*(\S[^\n]*)/.exec(statement.text)?.[1]?.trim() ?? null;
}

/** `docs/tenant-exceptions.md`: the statements that cover all tenants, with their reasons. */
export function tenantExceptions(statements: Statement[]): string {
  const rows = statements.flatMap((statement) => {
    const reason = exceptionOf(statement);
    return reason === null ? [] : [`| \`${statement.path.replace("server/src/", "")}\` | \`${statement.name}\` | ${reason} |`];
  });
  const head = [
    "# Statements that look across tenants",
    "",
    "Every other statement on a tenant's table names one project and one environment.",
    "",
    "| File | Function | Why |",
    "|---|---|---|",
  ];
  return [...head, ...rows, ""].join("\n");
}

const reached = /\b(?:from|join|into|update|using|delete from|table)\s+(?:only\s+|lateral\s+)?([a-z_]\w*)/gi;

function tenantTables(text: string, schema: Schema): string[] {
  const names = [...withoutComments(text).matchAll(reached)].map(([, table = ""]) => table);
  return [...new Set(names)].filter((table) => schema.get(table)?.has("project_id") === true);
}

function writtenTables(text: string): Set<string> {
  const written =
    /\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?|merge\s+into|(?<!\b(?:for|key|do)\s+)update)\s+(?:only\s+)?([a-z_]\w*)/gi;
  return new Set([...withoutComments(text).matchAll(written)].map(([, table = ""]) => table));
}

/** Bound means compared with a value of ours, or written as a column of an insert. Comparing two tables with each other binds nothing. */
function isBound(text: string, column: string): boolean {
  const plain = withoutComments(text);
  const compared = new RegExp(`\\b${column}\\s*=\\s*\\?`).test(plain);
  const inTuple = [...plain.matchAll(/\(([^()]*)\)\s*=\s*\(([\s?,]*)\)/g)].some(([, columns = ""]) => columns.includes(column));
  const inserted = [...plain.matchAll(/\binsert\s+into\s+\w+(?:\s+as\s+\w+)?\s*\(([^()]*)\)/gi)].some(([, columns = ""]) =>
    columns.split(/[\s,]+/).includes(column),
  );
  return compared || inTuple || inserted;
}
