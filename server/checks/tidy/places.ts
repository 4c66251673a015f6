import ts from "typescript";
import { type Fault, faultsOf, isProduct, isSqlFile, isTypeScript, type Rule, roomOf } from "../read/sources.ts";

/** Rooms whose time must come from `ctx.now()`, so that a test can move it. */
const outsideRooms = new Set(["platform", "http", "workers", "listeners", "app"]);

/** `process.env` is read in app/config.ts alone. */
export const environmentStaysHome: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file.path) && file.path !== "server/src/app/config.ts" && !file.path.startsWith("server/checks/tidy/"))
    .flatMap((file) => faultsOf(file, /process\.env\b/g, "reads the environment: make it a setting in server/src/app/config.ts and pass the value"));

/** The tag `sql(…)` is called in sql files alone. */
export const sqlStaysHome: Rule = (files) =>
  files
    .filter((file) => isProduct(file.path) && isTypeScript(file.path) && !isSqlFile(file.path))
    .flatMap((file) => [
      ...faultsOf(file, /\bsql\s*\([^()]*\)\s*(<[^`;]*>)?\s*`/g, "writes SQL: move the statement into the room's sql.ts and give it a name"),
      ...(file.path.startsWith("server/src/platform/database/migrate/")
        ? []
        : faultsOf(file, /\.unsafe\s*\(/g, "sends SQL as text: use the tagged template in a sql file")),
    ]);

/** A room's index.ts is its front door: exports and nothing else. */
export const doorsOnlyExport: Rule = (files) =>
  files
    .filter((file) => /^server\/src\/(?!http\/)[^/]+\/index\.ts$/.test(file.path))
    .flatMap((file) => {
      const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
      return source.statements
        .filter((statement) => !(ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined))
        .map((statement) => ({
          path: file.path,
          line: source.getLineAndCharacterOfPosition(statement.getStart()).line + 1,
          message: "a room's index.ts only exports from its files: move this into a file of its own",
        }));
    });

/** Rooms ask the context for the time. */
export const timeIsGiven: Rule = (files) =>
  files
    .filter((file) => isProduct(file.path) && roomOf(file.path) !== null && !outsideRooms.has(roomOf(file.path) ?? ""))
    .flatMap((file) => faultsOf(file, /\bDate\.now\(\)|\bnew Date\(\)/g, "reads the machine's clock: take ctx.now(), which a test can move"));

const paymentFiles = ["adapter.test.ts", "adapter.ts", "manifest.ts", "signature.ts", "simulator.ts", "wire.ts"];

/** A payment provider is always the same six files. */
export const providersAreAlike: Rule = (files) => {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const [, slug, rest] = /^server\/src\/providers\/payment\/([^/]+)\/(.+)$/.exec(file.path) ?? [];
    if (slug !== undefined && rest !== undefined) folders.set(slug, [...(folders.get(slug) ?? []), rest]);
  }
  return [...folders].flatMap(([slug, names]): Fault[] => {
    const path = `server/src/providers/payment/${slug}`;
    const missing = paymentFiles.filter((name) => !names.includes(name)).map((name) => `lacks ${name}`);
    const extra = names.filter((name) => !paymentFiles.includes(name)).map((name) => `must not hold ${name}`);
    return [...missing, ...extra].map((what) => ({ path, message: `${what}: a payment provider is exactly ${paymentFiles.join(", ")}` }));
  });
};
