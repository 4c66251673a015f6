import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { parseLsn } from "#platform/index.ts";
import { listBackups } from "../archive/backup-folder.ts";
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

/**
 * Removes write-ahead log that can't restore anything any more: from before the oldest backup of its history, and all of a history without
 * a backup, except the current one.
 */
export async function tidyWal(backups: string, current: WalHistory): Promise<void> {
  const oldest = new Map<string, bigint>();
  for (const { manifest } of await listBackups(backups)) {
    const name = nameOf(manifest.postgres);
    const start = parseLsn(manifest.postgres.start.lsn);
    // By position: if the clock was set back, names aren't in order.
    if (start < (oldest.get(name) ?? start + 1n)) oldest.set(name, start);
  }
  for (const name of await listHistories(backups)) {
    const from = oldest.get(name);
    const folder = join(backups, "wal", name);
    if (from === undefined && name === nameOf(current)) continue;
    for (const { end, path } of await listWalPieces(folder)) if (from === undefined || end <= from) await rm(path, { force: true });
    if (from === undefined) await removeIfEmpty(folder);
  }
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
