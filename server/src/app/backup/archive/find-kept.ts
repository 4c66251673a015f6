import { readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Settings } from "../../config.ts";
import { listBackups } from "./backup-folder.ts";
import type { Identity } from "./encrypt.ts";
import { readManifest } from "./manifest.ts";

/** Paths that a restore into a folder must not remove, whatever else it finds there: these, and whatever has complete backups in it. */
export async function findKept(into: string, paths: readonly string[]): Promise<string[]> {
  const folder = await realpath(into).catch(() => null);
  const inside: string[] = [];
  for (const name of folder === null ? [] : await readdir(folder))
    if (folder !== null && (await hasBackups(join(folder, name)))) inside.push(join(folder, name));
  // By the names that they are given by too: a link that leads to them stays.
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => resolve(path))));
  return [...inside, ...paths.map((path) => resolve(path)), ...real];
}

/** What a restore reads, and where backups are. The private key may lie in the folder to restore into, as the only copy on this machine. */
export function keptOf(given: { from: string | null; identity: Identity | null; settings: Pick<Settings, "BACKUP_DIR"> }): string[] {
  const { from, identity, settings } = given;
  return [from, settings.BACKUP_DIR, identity?.path ?? null].filter((path) => path !== null);
}

/** A file, and a folder that only the database's user can read, have none. */
async function hasBackups(path: string): Promise<boolean> {
  const backups = await listBackups(path).catch(() => []);
  return backups.length > 0 || (await readManifest(path).catch(() => null)) !== null;
}
