import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What a test file starts: nothing, a database, a browser, or programs that are killed, cut off and started again. Each is a Vitest
 * project; those of the pages that start nothing are one of their own, because they import JSX, which Node doesn't know.
 */
export type Kind = "unit" | "web" | "room" | "browser" | "faults";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
/** Starting these doesn't make a file one of `faults`: every run has them, and the browser is a separate kind. */
const everyRuns = [
  "server/test/support/database/postgres.ts",
  "server/test/support/run/run-folder.ts",
  "server/test/support/browser/browser.ts",
  "server/test/support/run/kinds.ts",
];
const long = /\.(long|peers)\.test\.ts$/;

/**
 * All files that `npm test` runs, by what they and the test code that they import start. There is no list to maintain: a file that begins
 * to start a program is one of `faults` from then on.
 */
export function testFilesByKind(): Record<Kind, string[]> {
  const files: Record<Kind, string[]> = { unit: [], web: [], room: [], browser: [], faults: [] };
  for (const file of globSync(["server/**/*.test.ts", "web/**/*.test.ts", "sdk/**/*.test.ts", "scripts/**/*.test.ts"], {
    cwd: root,
    exclude: ["**/node_modules", "**/dist"],
  })) {
    const path = file.replaceAll("\\", "/");
    if (!long.test(path)) files[kindOf(path, reached(path))].push(path);
  }
  return files;
}

/** Those that upload pictures or read them. */
export function filesWithPictures(files: Record<Kind, string[]>): string[] {
  return Object.values(files)
    .flat()
    .filter((path) => reached(path).has("server/test/support/pictures/pictures.ts"));
}

/**
 * The files that differ from the last commit, and those with a database or a browser next to such a source; none outside a Git checkout.
 */
export function filesOfChanges({ room, browser, faults }: Record<Kind, string[]>): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n");
  try {
    const changed = new Set([...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")]);
    const folders = new Set([...changed].filter((path) => path !== "").map((path) => dirname(path)));
    return [
      ...faults.filter((file) => changed.has(file)),
      ...[...browser, ...room].filter((file) => changed.has(file) || folders.has(dirname(file))),
    ];
  } catch {
    return [];
  }
}

function kindOf(path: string, files: ReadonlySet<string>): Kind {
  if (files.has("server/test/support/browser/browser.ts")) return "browser";
  if ([...files].some((file) => !everyRuns.includes(file) && /from "node:child_process"/.test(readFileSync(join(root, file), "utf8"))))
    return "faults";
  if (files.has("server/test/support/app/test-app.ts") || files.has("server/test/support/database/postgres.ts")) return "room";
  return path.startsWith("web/") || loadsPages(path) ? "web" : "unit";
}

/** Whether a test of the server loads the dashboard's files by their names. */
function loadsPages(path: string): boolean {
  const text = readFileSync(join(root, path), "utf8");
  return text.includes("web/dashboard/src/") && /\bimport\(new URL\(/.test(text);
}

/** A test file and the test code that it imports, transitively; not the product. */
function reached(file: string): Set<string> {
  const found = new Set([file]);
  for (const one of found) for (const next of imported(one)) found.add(next);
  return found;
}

const known = new Map<string, string[]>();

function imported(file: string): string[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const paths = [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import) ?\(?"(#test\/|\.\.?\/)([^"]+\.ts)"/g)]
    .map(([, start = "", rest = ""]) =>
      start === "#test/" ? `server/test/${rest}` : normalize(join(dirname(file), start + rest)).replaceAll("\\", "/"),
    )
    .filter((path) => /^server\/test\/|\/testing\/|\.test\.ts$/.test(path) && existsSync(join(root, path)));
  known.set(file, paths);
  return paths;
}
