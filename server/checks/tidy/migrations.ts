import { type Migration, readMigration } from "../../src/platform/database/migrate/read-migrations.ts";
import type { Fault, Rule, SourceFile } from "../read/sources.ts";

/** The highest migration of the previous version: its programs run on this schema while they are replaced. Raised with each release. */
const released = 46;
/** From here on, `do` blocks are read, and what tightens a table needs a reason. Older migrations were applied before that. */
const strictFrom = 150;
/** Never used: it would run before older migrations on a new database, and after them on an existing one. */
const neverUsed = 7;

/** What breaks the previous version, unless a `min_program` says that it no longer reads it. */
const breaking: [pattern: RegExp, what: string][] = [
  [/\bdrop\s+(table|view|column|function|type|schema)\b/i, "drops what the version before may use"],
  [/\brename\s+(to|column|constraint)\b|\brename\s+\w+\s+to\b/i, "renames what the version before may use"],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i, "changes a type under the version before"],
  [/\bset\s+not\s+null\b/i, "refuses rows that the version before may write"],
];

/** What may refuse or change rows that the previous version writes, on a table that isn't created in the same file. */
const tightening: [pattern: RegExp, what: string][] = [
  [
    /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?([\w".%]+)\s+(?=[^;]*?\badd\s+(?:constraint\s+[\w"%]+\s+)?(?:check|unique|exclude|primary\s+key|foreign\s+key)\b)/gi,
    "adds a constraint to",
  ],
  [
    /\bcreate\s+unique\s+index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:[\w"%]+\s+)?on\s+(?:only\s+)?([\w".%]+)/gi,
    "adds a unique index to",
  ],
  [/\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\s[^;]*?\son\s+([\w".%]+)/gi, "adds a trigger to"],
];

const later = 'Do it a version later, and name the oldest program that can live with it: "-- min_program: N"';
const orWhy = 'Or say directly above why that version is not affected: "-- compatible: <why>"';

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

function compatibilityFaults(migration: Migration): string[] {
  const { minProgram } = migration;
  const bare = statementsOf(migration);
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
  if (minProgram !== null) return [];
  return [...faults.map((what) => `${what}. ${later}`), ...tighteningFaults(migration).map((what) => `${what}. ${later}. ${orWhy}`)];
}

function tighteningFaults(migration: Migration): string[] {
  if (migration.number < strictFrom) return [];
  const bare = statementsOf(migration);
  const isNew = newTables(bare);
  return tightening.flatMap(([pattern, what]) =>
    [...bare.matchAll(pattern)]
      .map(({ 1: table = "", index }) => ({ table: table.replace(/^public\.|"/g, ""), index }))
      .filter(({ table, index }) => !isNew.has(table) && !isReasoned(migration.text, index))
      .map(({ table }) => `${what} ${table}, which may refuse or change what the version before writes`),
  );
}

/** Whether the comment directly above a statement says why the previous version isn't affected. */
function isReasoned(text: string, index: number): boolean {
  const lines = text.slice(0, index).split("\n").slice(0, -1);
  const last = lines.findLastIndex((line) => !/^\s*--(?! step)/.test(line));
  return lines.slice(last + 1).some((line) => /^\s*-- compatible: \S/.test(line));
}

function lockFaults(migration: Migration): string[] {
  const { number, steps } = migration;
  const bare = statementsOf(migration);
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
    for (const [, table = ""] of statementsOf({ number, text: piece.text }).matchAll(changes)) {
      if (!isNew.has(table) && !piece.repeats)
        faults.push(`${table} is changed as a whole in one transaction: move it in "-- step: repeat", some thousand rows at a time`);
    }
  }
  return faults;
}

/** Where a statement can begin: in a `do` block also behind these words, or as a text that is executed. */
const changes =
  /(?:^|;|\b(?:begin|then|else|loop)\b|\bexecute\s+(?:format\s*\(\s*)?')\s*(?:update|delete\s+from)\s+(?!set\b)(?:only\s+)?([\w%]+)/gi;

function newTables(text: string): Set<string> {
  return new Set([...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table = ""]) => table));
}

const blank = (part: string) => part.replace(/[^\n]/g, " ");
const quoted = /(\bdo\s+(?:language\s+\w+\s+)?)?\$(\w*)\$([\s\S]*?)\$\2\$/gi;

/** The statements that a migration runs, at their places in its text: comments and the bodies of functions are blank. */
function statementsOf({ number, text }: Pick<Migration, "number" | "text">): string {
  const bare = text.replace(/--[^\n]*/g, blank);
  return number < strictFrom ? bare.replace(quoted, blank) : withoutFunctions(bare);
}

function withoutFunctions(text: string): string {
  return text.replace(quoted, (whole: string, ...[begin, tag = "", body = ""]: string[]) =>
    begin === undefined ? blank(whole) : `${begin} ${blank(tag)} ${withoutFunctions(body)} ${blank(tag)} `,
  );
}
