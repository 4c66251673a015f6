import { type BackupFolder, isNamedAhead, listBackups, removeBackup, roomIn } from "../archive/backup-folder.ts";

/**
 * Removes the oldest backups, but never the newest, until two more of this size fit in addition to the space that must stay free. Returns
 * whether they fit; if even that wouldn't be enough, nothing is removed. Throws a readable error without removing any if what is left of
 * removed ones can't be deleted: each further one would be lost without making room.
 */
export async function makeRoom(
  { path, stuck }: Pick<BackupFolder, "path" | "stuck">,
  { bytes, reserveBytes, now }: { bytes: number; reserveBytes: number; now: Date },
): Promise<boolean> {
  const lacking = 2 * bytes - (await roomIn(path, reserveBytes));
  if (lacking > 0 && stuck.length > 0)
    throw new Error(
      `There isn't enough disk space for two backups in ${path}, and what is left of earlier ones can't be removed. Remove it manually: ${stuck.join(", ")}`,
    );
  const removable = (await listDated(path, now))
    .slice(0, -1)
    .map(({ path, manifest }) => ({ path, size: manifest.files.reduce((sum, file) => sum + file.bytes, 0) }));
  if (removable.reduce((sum, { size }) => sum + size, 0) < lacking) return false;
  let freed = 0;
  for (const oldest of removable) {
    if (freed >= lacking) break;
    await removeBackup(oldest.path);
    freed += oldest.size;
  }
  return true;
}

/** Removes all but the newest `keep` backups. */
export async function keepNewest(folder: string, { keep, now }: { keep: number; now: Date }): Promise<void> {
  for (const { path } of (await listDated(folder, now)).slice(0, -keep)) await removeBackup(path);
}

/**
 * The backups of a folder, oldest first, without those that are named after a time that is still to come: each would count as the newest,
 * and the one that was just taken would be removed instead. `doctor` reports them.
 */
async function listDated(folder: string, now: Date): Promise<Awaited<ReturnType<typeof listBackups>>> {
  return (await listBackups(folder)).filter(({ name }) => !isNamedAhead(name, now));
}
