import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dirname } from "node:path/posix";
import ts from "typescript";
import { type Fault, isTest, lineAt, type SourceFile } from "../read/sources.ts";

/** The roots of the map's short paths, the nearest to the code first. */
const bases = ["server/src/", "server/", ""];
const folders = ["deploy", "docs", "scripts", "sdk", "server", "web"];
const span = /`([^`\s]+)`/g;
const isFileName = /^[\w-]+(\.[\w-]+)*\.(ts|tsx|mjs|sql|css|json|md)$/;
/** A placeholder, a URL, a package or a pattern. */
const isNoPath = /[<>…*:#(={]|^[./@]|\.\.|^(?:text|application|image)\//;

/** Every file and folder that the map may mention, folders with `/` at their end. */
export function listPaths(root: string): Set<string> {
  const paths = new Set<string>();
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/").replace(/^\//, "");
      if (!/(^|\/)node_modules(\/|$)/.test(path)) paths.add(entry.isDirectory() ? `${path}/` : path);
    }
    paths.add(`${folder}/`);
  }
  return paths;
}

/**
 * Paths of ARCHITECTURE.md exist, so its table of tasks never leads to a missing file. A bare file name is searched in and below the
 * folders that the same line mentions before it.
 */
export function mapFaults({ path, text }: SourceFile, paths: ReadonlySet<string>): Fault[] {
  return text.split("\n").flatMap((line, at) => {
    const near: string[] = [];
    return [...line.matchAll(span)].flatMap(([, name = ""]): Fault[] => {
      const found =
        name.includes("/") && !isNoPath.test(name)
          ? whole(name, paths)
          : isFileName.test(name) && near.length > 0
            ? findNear(name, near, paths)
            : "";
      if (found === undefined)
        return [{ path, line: at + 1, message: `names ${name}, which is nowhere: follow the move, or take the line out` }];
      if (found !== "") near.push(found.endsWith("/") ? found : `${dirname(found)}/`);
      return [];
    });
  });
}

function whole(name: string, paths: ReadonlySet<string>): string | undefined {
  const place = bases.flatMap((base) => [`${base}${name}`, `${base}${name}/`]).find((path) => paths.has(path));
  const first = name.slice(0, name.indexOf("/") + 1);
  // Two words with a slash between them, such as `and/or`, are a path only if the first is a folder's name.
  const isPath =
    name.endsWith("/") || isFileName.test(name.slice(name.lastIndexOf("/") + 1)) || bases.some((base) => paths.has(`${base}${first}`));
  return place ?? (isPath ? undefined : "");
}

function findNear(name: string, near: readonly string[], paths: ReadonlySet<string>): string | undefined {
  return [...paths].find((path) => path.endsWith(`/${name}`) && near.some((folder) => path.startsWith(folder)));
}

const isSourceName = /^[\w./-]+\.(?:ts|tsx|mjs|sql|css)$/;
const isFolderName = /^[a-z][\w./-]*\/[\w./-]*$/;
/** The dashboard's build, which isn't committed. */
const isBuilt = /(?:^|\/)dist\//;

/**
 * Source files and folders that guides and decisions name exist, so a reader can open them. Unlike the map's, their paths may start at any
 * folder: a page about one room leaves out its name.
 */
export function namedPathFaults(documents: readonly SourceFile[], paths: ReadonlySet<string>): Fault[] {
  const ends = new Set([...paths].flatMap(endsOf));
  const isMissing = (name: string) =>
    !isNoPath.test(name) && !isBuilt.test(name) && (isSourceName.test(name) || isBelowKnown(name, paths)) && !ends.has(bare(name));
  return documents.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) =>
      [...line.matchAll(span)]
        .map(([, name = ""]) => name)
        .filter(isMissing)
        .map((name) => ({ path, line: at + 1, message: `names ${name}, which is nowhere: follow the move, or say it without a path` })),
    ),
  );
}

/** A path, and what is left of it without its first folders. */
function endsOf(path: string): string[] {
  const parts = bare(path).split("/");
  return parts.map((_part, index) => parts.slice(index).join("/"));
}

/** Two words with a slash between them are a path if the first is a room's or a folder's name. */
function isBelowKnown(name: string, paths: ReadonlySet<string>): boolean {
  return isFolderName.test(name) && bases.some((base) => paths.has(`${base}${name.slice(0, name.indexOf("/") + 1)}`));
}

function bare(path: string): string {
  return path.replace(/\/$/, "");
}

const isPathOfTree = /^(?:docs|scripts|sdk|server|web)\/[\w./-]+\.(?:ts|tsx|mjs|sql|css|json|md|txt)$/;

/**
 * Paths and patterns of paths in a check's code match a file: after a move, a rule or an exception that matches none would silently check
 * nothing.
 */
function checkedPathFaults(files: readonly SourceFile[], paths: ReadonlySet<string>): Fault[] {
  return files.filter(({ path }) => path.startsWith("server/checks/") && !isTest(path)).flatMap((file) => unmatched(file, [...paths]));
}

function unmatched({ path, text }: SourceFile, paths: readonly string[]): Fault[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (!matchesSome(node, paths))
      faults.push({
        path,
        line: lineAt(text, node.getStart(source)),
        message: `${node.getText(source)} matches no file: follow the move, or remove it`,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function matchesSome(node: ts.Node, paths: readonly string[]): boolean {
  if (ts.isStringLiteral(node) && isPathOfTree.test(node.text)) return paths.includes(node.text);
  if (!ts.isRegularExpressionLiteral(node) || !/^\/\^\(?(?:docs|scripts|sdk|server|web)\b/.test(node.text)) return true;
  const pattern = new RegExp(node.text.slice(1, node.text.lastIndexOf("/")));
  return paths.some((path) => pattern.test(path));
}

const besideFile = /new URL\(\s*"(\.{1,2}\/[\w./-]+\.(?:ts|tsx|mjs|sql))",\s*import\.meta\.url/g;

/** Files that code opens by their path from its own file exist: the compiler only follows imports. */
function relativePathFaults(files: readonly SourceFile[], paths: ReadonlySet<string>): Fault[] {
  const outside = files.filter(({ path }) => !path.startsWith("server/checks/"));
  return outside.flatMap(({ path, text }) =>
    [...text.matchAll(besideFile)]
      .map((match) => ({ at: match.index, name: match[1] ?? "" }))
      .filter(({ name }) => !isBuilt.test(name) && !paths.has(join(dirname(path), name)))
      .map(({ at, name }) => ({ path, line: lineAt(text, at), message: `opens ${name}, which is nowhere: follow the move` })),
  );
}

/** Both: the paths that a check's code names, and those that any code opens. */
export function codePathFaults(files: readonly SourceFile[], paths: ReadonlySet<string>): Fault[] {
  return [...checkedPathFaults(files, paths), ...relativePathFaults(files, paths)];
}
