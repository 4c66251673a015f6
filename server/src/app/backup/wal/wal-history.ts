import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { parseLsn } from "#platform/index.ts";
import { listBackups } from "../archive/backup-folder.ts";
import type { Manifest } from "../archive/manifest.ts";
import { listWalPieces } from "./wal-pieces.ts";

/**
 * Whose write-ahead log it is. A restored database has the same system id as its original and goes on from a position that the original
 * passed too, so it has an id of its own from then on. Two restored from one backup would even have the same timeline.
 */
export interface WalHistory {
  system_id: string;
  /** Absent for a database that was never restored. */
  history?: string | null | undefined;
}

const nameOf = ({ system_id, history }: WalHistory) => (history == null ? system_id : `${system_id}-${history}`);
const pattern = /^\d+(-[0-9a-f]{16})?$/;

export function isOf(one: WalHistory, other: WalHistory): boolean {
  return nameOf(one) === nameOf(other);
}

/** The folder of one history's write-ahead log, next to the backups. */
export function walFolder(backups: string, history: WalHistory): string {
  return join(backups, "wal", requireName(history));
}

/** The key of a piece in a bucket. */
export function walKey(history: WalHistory, name: string): string {
  return `wal/${requireName(history)}/${name}`;
}

/** The name in a manifest from a bucket could lead out of the folder. */
function requireName(history: WalHistory): string {
  const name = nameOf(history);
  if (!pattern.test(name)) throw new Error(`The backup's manifest has no valid id of its database: ${JSON.stringify(name)}.`);
  return name;
}

/** Which write-ahead log is still needed isn't known, because a backup can't be read at the moment. */
export class UnreadableBackup extends Error {}

/** Write-ahead log of one history that can't restore anything any more. */
interface Unneeded {
  folder: string;
  /** Whether that is all of the history. */
  isAll: boolean;
  pieces: { path: string; bytes: number }[];
}

/**
 * Finds the write-ahead log that can't restore anything if only these backups are kept: from before the oldest of its history, and all of a
 * history without one, except the current history.
 */
export async function listUnneeded(
  backups: string,
  { kept, current }: { kept: readonly Manifest[]; current: WalHistory },
): Promise<Unneeded[]> {
  const oldest = new Map<string, bigint>();
  for (const { postgres } of kept) {
    const name = nameOf(postgres);
    const start = parseLsn(postgres.start.lsn);
    // By position: if the clock was set back, names aren't in order.
    if (start < (oldest.get(name) ?? start + 1n)) oldest.set(name, start);
  }
  const found: Unneeded[] = [];
  for (const name of await listHistories(backups)) {
    const from = oldest.get(name);
    const folder = join(backups, "wal", name);
    if (from === undefined && name === nameOf(current)) continue;
    const pieces: Unneeded["pieces"] = [];
    for (const { end, path } of await listWalPieces(folder))
      if (from === undefined || end <= from) pieces.push({ path, bytes: await sizeOf(path) });
    found.push({ folder, isAll: from === undefined, pieces });
  }
  return found;
}

/**
 * Removes the write-ahead log that the backups in a folder don't need any more. Returns how many bytes that were. Throws
 * `UnreadableBackup`, and removes none, if one of the backups can't be read: it may need more than the others.
 */
export async function tidyWal(backups: string, current: WalHistory): Promise<number> {
  const areAllNeeded = (await listHistories(backups)).length > 0;
  const listed = await listBackups(backups, { areAllNeeded }).catch((error: Error) => {
    throw new UnreadableBackup(`it isn't known which that is until this backup is readable or moved elsewhere: ${error.message}`);
  });
  const kept = listed.map(({ manifest }) => manifest);
  let freed = 0;
  for (const { folder, isAll, pieces } of await listUnneeded(backups, { kept, current })) {
    for (const { path, bytes } of pieces) {
      await rm(path, { force: true });
      freed += bytes;
    }
    if (isAll) await removeIfEmpty(folder);
  }
  return freed;
}

/** Another process may have removed it a moment ago. */
async function sizeOf(path: string): Promise<number> {
  return await lstat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function listHistories(backups: string): Promise<string[]> {
  const names = await readdir(join(backups, "wal")).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name));
}

/** Another installation that uses the same folder may be writing there. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
}
