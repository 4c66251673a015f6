import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the work tree: its path from the root, with `/`, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** A violation of a rule. The message says what is wrong and how to fix it. */
export interface Fault {
  path: string;
  line?: number;
  message: string;
}

/** A rule is pure: the same files give the same faults. */
export type Rule = (files: readonly SourceFile[]) => Fault[];

const folders = ["server/src", "server/test", "server/checks", "server/bench", "server/migrations", "web", "sdk", "scripts"];
const kinds = /\.(ts|tsx|mjs|sql)$/;
const notOurs = /(^|\/)(node_modules|dist|coverage|generated)\//;

/** Documents that aren't guides: generated from the code, or about its history. */
const noGuides = /^docs\/(?:errors|settings|tenant-exceptions|verification|benchmarks)\.md$/;

/** Guides whose prose the rules read, in addition to the sources. */
export function readGuides(root: string): SourceFile[] {
  const guides = ["docs", "docs/gateways", "docs/messaging", "docs/operations"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", ...guides.filter((path) => !noGuides.test(path))].map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

/** One page for each decision. */
export function readDecisions(root: string): SourceFile[] {
  return listFiles(root, "docs/decisions", /\.md$/).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Style sheets, which no formatter lays out. */
export function readStyles(root: string): SourceFile[] {
  return listFiles(root, "web", /\.css$/).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Every file that the rules read. */
export function readSources(root: string): SourceFile[] {
  return folders.flatMap((folder) => listFiles(root, folder)).map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

function listFiles(root: string, folder: string, wanted = kinds): string[] {
  const entries = readFolder(join(root, folder));
  return entries
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/").replace(/^\//, ""))
    .filter((path) => !notOurs.test(path))
    .sort();
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith("server/test/") || path.startsWith("web/e2e/") || /\/testing\//.test(path);
}

/** What runs in a customer's installation: no tests, checks or benches. */
export function isProduct(path: string): boolean {
  return /^(server\/src|web|sdk\/src)\//.test(path) && !isTest(path);
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

export function isSqlFile(path: string): boolean {
  return /(^|[/.])sql\.ts$/.test(path);
}

/** The room that a file of `server/src` belongs to, or null. */
export function roomOf(path: string): string | null {
  return /^server\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** The line of an offset in a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** A fault for each match of `pattern`. */
export function faultsOf(file: SourceFile, pattern: RegExp, message: string): Fault[] {
  return [...file.text.matchAll(pattern)].map((match) => ({ path: file.path, line: lineAt(file.text, match.index), message }));
}
