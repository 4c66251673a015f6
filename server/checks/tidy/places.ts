import { dirname, join } from "node:path/posix";
import ts from "typescript";
import {
  type Fault,
  faultsOf,
  isProduct,
  isSqlFile,
  isTest,
  isTypeScript,
  lineAt,
  type Rule,
  roomOf,
  type SourceFile,
} from "../read/sources.ts";

/** Rooms whose time must come from `ctx.now()`, so that a test can move it. */
const outsideRooms = new Set(["platform", "http", "workers", "listeners", "app"]);

/** `process.env` is only read in app/config.ts. */
export const environmentStaysInConfig: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file.path) && file.path !== "server/src/app/config.ts" && !file.path.startsWith("server/checks/tidy/"))
    .flatMap((file) =>
      faultsOf(file, /process\.env\b/g, "reads the environment: make it a setting in server/src/app/config.ts and pass the value"),
    );

/** The tag `sql(…)` is only called in sql files. */
export const sqlStaysInSqlFiles: Rule = (files) =>
  files
    .filter((file) => isProduct(file.path) && isTypeScript(file.path) && !isSqlFile(file.path))
    .flatMap((file) => [
      ...faultsOf(
        file,
        /\bsql\s*\([^()]*\)\s*(<[^`;]*>)?\s*`/g,
        "writes SQL: move the statement into the room's sql.ts and give it a name",
      ),
      ...(file.path.startsWith("server/src/platform/database/migrate/")
        ? []
        : faultsOf(file, /\.unsafe\s*\(/g, "sends SQL as text: use the tagged template in a sql file")),
    ]);

/** A room's index.ts is its front door: only exports. */
export const entriesOnlyExport: Rule = (files) =>
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

const exported = /\bexport\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"/g;
/**
 * Imports of an index.ts. `import`, `export … from` and `const { … } = await import(…)` list what they need; any other form counts as all
 * of it.
 */
const imported =
  /(?:\b(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*[^;]*?)\s+from\s+|\bconst \{([^}]*)\} = await import\(|\bimport\()"([^"]+\/index\.ts)"/g;

/**
 * An index.ts, of a room or of a folder inside one, exports only what is imported outside it. Tests and benches don't count: they import
 * the file itself.
 */
export const entriesExportWhatIsNeeded: Rule = (files) => {
  const needed = new Map<string, Set<string>>();
  for (const file of files.filter(({ path }) => isTypeScript(path) && !isTest(path) && !path.startsWith("server/bench/"))) {
    for (const { entry, name } of importsOfEntries(file)) {
      if (!file.path.startsWith(`${dirname(entry)}/`)) needed.set(entry, (needed.get(entry) ?? new Set()).add(name));
    }
  }
  return files
    .filter(({ path }) => /^server\/src\/.*\/index\.ts$/.test(path))
    .flatMap((file) =>
      [...file.text.matchAll(exported)].flatMap((match) =>
        namesOf(match[1], "outside")
          .filter((name) => !needed.get(file.path)?.has(name) && !needed.get(file.path)?.has("*"))
          .map((name) => ({
            path: file.path,
            line: lineAt(file.text, match.index),
            message: `exports ${name}, which nothing outside of ${dirname(file.path)} imports: remove it; a test or bench imports the file that declares it`,
          })),
      ),
    );
};

function importsOfEntries({ path, text }: SourceFile): { entry: string; name: string }[] {
  return [...text.matchAll(imported)].flatMap(([, names, awaited, specifier = ""]) => {
    const entry = specifier.startsWith("#") ? `server/src/${specifier.slice(1)}` : join(dirname(path), specifier);
    const list = names ?? awaited;
    return (list === undefined ? ["*"] : namesOf(list, "inside")).map((name) => ({ entry, name }));
  });
}

/** The names in braces; of `a as b`, `a` is the one inside the door and `b` the one outside. */
function namesOf(list: string | undefined, side: "inside" | "outside"): string[] {
  return (list ?? "")
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => part.split(/\s+as\s+|\s*:\s*/).at(side === "inside" ? 0 : -1) ?? part);
}

/** Rooms take the time from the context. */
export const timeIsGiven: Rule = (files) =>
  files
    .filter((file) => isProduct(file.path) && roomOf(file.path) !== null && !outsideRooms.has(roomOf(file.path) ?? ""))
    .flatMap((file) =>
      faultsOf(file, /\bDate\.now\(\)|\bnew Date\(\)/g, "reads the machine's clock: take ctx.now(), which a test can move"),
    );

const paymentFiles = ["adapter.test.ts", "adapter.ts", "manifest.ts", "simulator.ts", "testing/facts.ts"];

/** Every payment provider has the same entrance: its description, its adapter, its simulator, and all providers' tests run on it. */
export const providersAreAlike: Rule = (files) => {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const [, slug, rest] = /^server\/src\/providers\/payment\/([^/]+)\/(.+)$/.exec(file.path) ?? [];
    if (slug !== undefined && rest !== undefined) folders.set(slug, [...(folders.get(slug) ?? []), rest]);
  }
  return [...folders].flatMap(([slug, names]): Fault[] => {
    const path = `server/src/providers/payment/${slug}`;
    return paymentFiles
      .filter((name) => !names.includes(name))
      .map((name) => ({ path, message: `lacks ${name}: every payment provider has ${paymentFiles.join(", ")}` }));
  });
};

/** Where payment methods are defined: personal codes in one folder, each gateway in its own. */
const definitions = /^(server\/src\/(?:collection\/method|providers\/payment\/[^/]+)\/)[\w-]+\.ts$/;

/**
 * Where any method may be mentioned: what is particular to personal codes, the list itself, words, and a list of passwords that people
 * guess.
 */
const allowed =
  /^server\/src\/(?:collection\/|orders\/session\/personal-qr\.ts$|app\/(?:payment-methods|gateways)\.ts$|identity\/password\/guessable\.ts$)|\/words\/|\.words\.ts$/;

/**
 * A payment method is mentioned where it is defined; everything else takes it from the list, so that the next method needs no other change.
 */
export const methodsComeFromTheList: Rule = (files) => {
  const named = files.filter(({ path }) => definitions.test(path) && isProduct(path)).flatMap(namesIn);
  return files
    .filter(({ path }) => isProduct(path) && isTypeScript(path) && !allowed.test(path))
    .flatMap((file) => named.filter((one) => !isInItsFolder(file, one)).flatMap(({ name }) => faultsOfName(file, name)));
};

/** A gateway also mentions the personal method of its own brand: a device that shows a page in the brand's app has that name. */
function isInItsFolder({ path }: SourceFile, { name, folder }: { name: string; folder: string }): boolean {
  const slug = /^server\/src\/providers\/payment\/([^/]+)\//.exec(path)?.[1] ?? "";
  return path.startsWith(folder) || slug.startsWith(name);
}

function faultsOfName(file: SourceFile, name: string): Fault[] {
  // Followed by a dot and a word, it is part of a URL or of an API name, such as `pay.example.com`.
  return faultsOf(
    file,
    new RegExp(`(?<![\\w-])${name}(?![\\w-]|\\.\\w)`, "g"),
    `spells the payment method ${name}: take it from ctx.methods or the list of gateways`,
  );
}

function namesIn({ path, text }: SourceFile): { name: string; folder: string }[] {
  const folder = definitions.exec(path)?.[1] ?? path;
  // A method's name is before its gateway; other names in a provider are its own.
  const methods = text.matchAll(/\bname: "([a-z][a-z0-9_]*)",\s+gateway: "([a-z][a-z0-9_]*)"(?:,\s+channel: "([a-z][a-z0-9_]*)")?/g);
  const names = [...methods].flatMap(([, ...found]) => found.filter((name) => name !== undefined));
  return [...new Set(names)].map((name) => ({ name, folder }));
}
