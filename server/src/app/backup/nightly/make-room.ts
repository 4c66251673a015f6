import { rm } from "node:fs/promises";
import { listBackups, roomIn } from "../archive/backup-folder.ts";

/**
 * Removes the oldest backups, but never the newest, until two more of this size fit in addition to the space that must stay free. Returns
 * whether they fit; if even that wouldn't be enough, nothing is removed.
 */
export async function makeRoom(folder: string, { bytes, reserveBytes }: { bytes: number; reserveBytes: number }): Promise<boolean> {
  const lacking = 2 * bytes - (await roomIn(folder, reserveBytes));
  const removable = (await listBackups(folder))
    .slice(0, -1)
    .map(({ path, manifest }) => ({ path, size: manifest.files.reduce((sum, file) => sum + file.bytes, 0) }));
  if (removable.reduce((sum, { size }) => sum + size, 0) < lacking) return false;
  let freed = 0;
  for (const { path, size } of removable) {
    if (freed >= lacking) break;
    await rm(path, { recursive: true, force: true });
    freed += size;
  }
  return true;
}

/** Removes all but the newest `keep` backups. */
export async function keepNewest(folder: string, keep: number): Promise<void> {
  for (const { path } of (await listBackups(folder)).slice(0, -keep)) await rm(path, { recursive: true, force: true });
}
