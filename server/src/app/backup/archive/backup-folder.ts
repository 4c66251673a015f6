import { chmod, mkdir, readdir, rename, rm, rmdir, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Settings } from "../../config.ts";
import { enoughBytes, syncFolder, tryLock } from "../../embedded/index.ts";
import { howToRun } from "../../installed/how-to-run.ts";
import { readBackupState } from "../state/backup-state.ts";
import { isAhead } from "../state/is-ahead.ts";
import { lookEveryBytes } from "./archive-file.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { megabytes } from "./megabytes.ts";

/** A folder of backups, locked by this process until `release`. */
export interface BackupFolder {
  readonly path: string;
  /** What of earlier runs couldn't be removed, with reasons. It takes space, and keeps nothing else from being written. */
  readonly stuck: string[];
  /** Creates a folder for this name, which isn't a backup yet. */
  begin(name: string): Promise<string>;
  /** Renames it to its final name, once all of it is on disk. Returns its path. */
  finish(name: string): Promise<string>;
  abandon(name: string): Promise<void>;
  release(): void;
}

/** Name prefix of a backup that is being written or removed. */
export const unfinished = ".unfinished-";

type Remove = (path: string) => Promise<void>;
/** An empty one of another user can be removed without being read. */
const removeAll: Remove = (path) => rmdir(path).catch(() => rm(path, { recursive: true, force: true }));

/**
 * Opens the folder, creating it if needed, and removes what killed runs left there. Throws a readable error if another backup is being
 * written into it.
 */
export async function openBackupFolder(path: string, remove = removeAll): Promise<BackupFolder> {
  if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await chmod(path, 0o700);
  const release = tryLock(path);
  if (release === null) throw new Error(`Another backup is being written to ${path}. Wait until it's done.`);
  const stuck = await removeUnfinished(path, remove).catch((error: Error) => {
    release();
    throw error;
  });
  const half = (name: string) => join(path, `${unfinished}${name}`);
  return {
    path,
    stuck,
    async begin(name) {
      await mkdir(half(name), { mode: 0o700 });
      return half(name);
    },
    async finish(name) {
      await syncFolder(half(name));
      await rename(half(name), join(path, name));
      await syncFolder(path);
      return join(path, name);
    },
    abandon: (name) => removeAll(half(name)),
    release,
  };
}

async function removeUnfinished(path: string, remove: Remove): Promise<string[]> {
  const stuck: string[] = [];
  for (const name of await readdir(path)) {
    if (!name.startsWith(unfinished)) continue;
    await remove(join(path, name)).catch((error: Error) => stuck.push(`${name}: ${error.message}`));
  }
  return stuck;
}

/** Removes a backup. If that is interrupted, the folder's next opening removes the rest. */
export async function removeBackup(path: string): Promise<void> {
  const half = join(dirname(path), `${unfinished}${basename(path)}`);
  await removeAll(half);
  await rename(path, half);
  await removeAll(half);
}

/**
 * Throws a readable error if the newest backup was written to `BACKUP_DIR` and no backup is there now: its disk may not be mounted, and
 * what is written to the empty mount point would be hidden once it is. Write-ahead log alone isn't enough, as earlier versions wrote it
 * there. If the bucket has the newest and no write-ahead log can wait there, the folder may be one that each restart empties.
 */
export async function requireMounted(
  settings: Pick<Settings, "TILLPOST_DATA_DIR" | "BACKUP_DIR" | "BACKUP_S3_BUCKET" | "BACKUP_WAL">,
): Promise<void> {
  const { TILLPOST_DATA_DIR, BACKUP_DIR, BACKUP_S3_BUCKET, BACKUP_WAL } = settings;
  const { taken, uncopied } = readBackupState(TILLPOST_DATA_DIR);
  if (BACKUP_S3_BUCKET !== null && uncopied === undefined && !BACKUP_WAL) return;
  if (taken === undefined || dirname(taken.path) !== BACKUP_DIR || (await listNames(BACKUP_DIR)).length > 0) return;
  const found = `The newest backup was written to ${BACKUP_DIR}, but no backup is there now.`;
  const start = `If you replaced it or removed all backups, start over there: ${howToRun(`backup --to ${BACKUP_DIR}`)}`;
  throw new Error(`${found} If its disk isn't mounted, mount it. ${start}`);
}

/** The names of a folder's backups in order, also of damaged ones. */
async function listNames(path: string): Promise<string[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => /^\d{4}-\d\d-\d\dT/.test(name)).sort();
}

/**
 * The complete backups of a folder, oldest first. Incomplete and damaged ones are skipped, and so are those that can't be read, unless all
 * are needed: then it throws, because a disk that fails for a moment would make a good backup look like none.
 */
export async function listBackups(
  path: string,
  { areAllNeeded = false } = {},
): Promise<{ name: string; path: string; manifest: Manifest }[]> {
  const found: { name: string; path: string; manifest: Manifest }[] = [];
  for (const name of await listNames(path)) {
    const manifest = await readManifest(join(path, name)).catch((error: Error) => {
      const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
      // Without these files, or if it's a file itself, it's no backup.
      if (areAllNeeded && code !== undefined && code !== "ENOENT" && code !== "ENOTDIR") throw error;
      return null;
    });
    if (manifest !== null) found.push({ name, path: join(path, name), manifest });
  }
  return found;
}

/** Whether a backup is named after a time that is still to come. Until then its name is the last of all. */
export function isNamedAhead(name: string, now: Date): boolean {
  return isAhead(name.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:"), now);
}

/** Throws a readable error if these downloaded files wouldn't fit. */
export async function requireRoomFor(
  files: readonly { bytes: number }[],
  { folder, reserveBytes }: { folder: string; reserveBytes: number },
): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const room = await roomIn(folder, reserveBytes);
  if (room >= bytes) return;
  const needed = `${megabytes(bytes)} must be fetched into ${folder}`;
  throw new Error(
    `${needed}, in addition to the ${megabytes(reserveBytes)} that must stay free (DISK_RESERVE_MB). ${megabytes(Math.max(0, room))} are free.`,
  );
}

/**
 * What must stay free on a disk while a backup is written to it: enough that the shop's writes are never refused because of it. A backup
 * writes two files, and each checks the disk after every `lookEveryBytes`.
 */
export function backupReserveBytes({ DISK_RESERVE_MB }: Pick<Settings, "DISK_RESERVE_MB">): number {
  return enoughBytes(DISK_RESERVE_MB * 1_000_000) + 2 * lookEveryBytes;
}

/** Bytes that may still be written to the disk of a folder if `reserveBytes` must stay free. */
export async function roomIn(path: string, reserveBytes: number): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize - reserveBytes;
}
