import { type Migration, readMigration } from "../../src/platform/database/migrate/read-migrations.ts";
import type { Fault, Rule, SourceFile } from "../read/sources.ts";

/** The highest migration of the previous version: its programs run on this schema while they are replaced. Raised with each release. */
const released = 46;
/** Never used: it would run before older migrations on a new database, and after them on an existing one. */
const neverUsed = 7;

/** What breaks the previous version, unless a `min_program` says that it no longer reads it. */
const breaking: [pattern: RegExp, what: string][] = [
  [/\bdrop\s+(table|view|column|function|type|schema)\b/i, "drops what the version before may use"],
  [/\brename\s+(to|column|constraint)\b|\brename\s+\w+\s+to\b/i, "renames what the version before may use"],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i, "changes a type under the version before"],
  [/\bset\s+not\s+null\b/i, "refuses rows that the version before may write"],
];

/** Migrations add, then move, then remove, and don't lock a busy table: `docs/decisions/0030-migrations.md`. */
export const migrationsKeepRunning: Rule = (files) =>
  files.filter(({ path }) => path.startsWith("server/migrations/") && path.endsWith(".sql")).flatMap((file) => faultsIn(file));

function faultsIn({ path, text }: SourceFile): Fault[] {
  const number = Number(path.slice("server/migrations/".length).slice(0, 4));
  const fault = (message: string): Fault => ({ path, message });
  if (number === neverUsed) return [fault("this number stays free: take the next one after the highest")];
  if (number <= released) return [];
  let migration: Migration;
  try {
    migration = readMigration(path.slice("server/migrations/".length), text);
  } catch (error) {
    return [fault((error as Error).message)];
  }
  return [...compatibilityFaults(migration), ...lockFaults(migration)].map(fault);
}

function compatibilityFaults({ text, minProgram }: Migration): string[] {
  const bare = withoutComments(text);
  if (minProgram !== null && minProgram > released)
    return [`min_program ${minProgram} shuts out the version before, which knows ${released}: remove one version later`];
  const faults = breaking.filter(([pattern]) => pattern.test(bare)).map(([, what]) => what);
  const isNew = newTables(bare);
  for (const [, table = "", column] of bare.matchAll(
    /\balter\s+table\s+(?:only\s+)?(\w+)\s+add\s+(?:column\s+)?((?:if\s+not\s+exists\s+)?\w+[^;]*?\bnot\s+null\b[^;,]*)/gi,
  )) {
    if (!isNew.has(table) && !/\bdefault\b/i.test(column ?? ""))
      faults.push(`adds a column to ${table} that the version before leaves out: give it a default`);
  }
  return minProgram === null
    ? faults.map((what) => `${what}. Do it a version later, and name the oldest program that can live with it: "-- min_program: N"`)
    : [];
}

function lockFaults({ text, steps }: Migration): string[] {
  const bare = withoutComments(text);
  const isNew = newTables(bare);
  const faults: string[] = [];
  for (const [statement, concurrently, table = ""] of bare.matchAll(
    /\bcreate\s+(?:unique\s+)?index\s+(concurrently\s+)?(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/gi,
  )) {
    if (isNew.has(table)) continue;
    if (concurrently === undefined)
      faults.push(`${statement} holds up every writer of ${table}: create it concurrently, in a file with "-- transaction: none"`);
    else if (steps === null) faults.push(`${statement} needs "-- transaction: none" and a step of its own`);
  }
  for (const [statement, table = ""] of bare.matchAll(/\balter\s+table\s+(?:only\s+)?(\w+)\s+add\s+constraint\b[^;]*/gi)) {
    if (!isNew.has(table) && !/\bnot\s+valid\b|\busing\s+index\b/i.test(statement))
      faults.push(`a constraint on ${table} reads all of it under a lock: add it "not valid", validate it in a later step`);
  }
  for (const piece of steps ?? [{ text: bare, repeats: false }]) {
    for (const [, table = ""] of withoutComments(piece.text).matchAll(/(?:^|;)\s*(?:update|delete\s+from)\s+(?:only\s+)?(\w+)/gi)) {
      if (!isNew.has(table) && !piece.repeats)
        faults.push(`${table} is changed as a whole in one transaction: move it in "-- step: repeat", some thousand rows at a time`);
    }
  }
  return faults;
}

function newTables(text: string): Set<string> {
  return new Set([...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table = ""]) => table));
}

function withoutComments(text: string): string {
  return text.replace(/--[^\n]*/g, "").replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
}
