import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { completeAnchors } from "#audit/index.ts";
import type { Db } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import {
  beginRestore,
  beginRestoredData,
  type DataFolder,
  embeddedMajor,
  finishRestore,
  openDataFolder,
  recoverData,
  syncFolder,
} from "../embedded/index.ts";
import { fingerprintOf, openKeySource } from "../master-keys/index.ts";
import { anchorFile } from "../runtime/index.ts";
import { findDamage, requireOpening } from "./archive/archive-file.ts";
import { backupReserveBytes, roomIn } from "./archive/backup-folder.ts";
import type { Identity } from "./archive/encrypt.ts";
import { findKept, keptOf } from "./archive/find-kept.ts";
import { databaseName, folderName, type Manifest, passwordName, readManifest } from "./archive/manifest.ts";
import { megabytes } from "./archive/megabytes.ts";
import { unpack } from "./archive/unpack.ts";
import { deleteTaken } from "./state/backup-state.ts";
import { bytesPlaced, chooseWhole, listWalPieces, placeWalPieces, type Until, walFolder } from "./wal/index.ts";

export interface Restoring {
  /** The folder of the backup. */
  from: string;
  /** An empty folder, or one to be created. */
  into: string;
  identity: Identity | null;
  /** How far the shipped write-ahead log is replayed; without it, the state of the backup. */
  at?: Until | null;
  /** Whether a server is running on the same disk, which mustn't have to refuse writes because of this. */
  beside?: boolean;
  settings: Pick<Settings, "MASTER_KEYS" | "MASTER_KEYS_FILE" | "MASTER_KEYS_COMMAND" | "DISK_RESERVE_MB" | "BACKUP_DIR">;
}

export interface Restored {
  manifest: Manifest;
  /** When the last transaction of the replayed write-ahead log was committed; null if there was none. */
  lastChange: Date | null;
  /** The master keys of the backup's database that the ones at hand don't include. Empty if there are none at hand yet. */
  lacking: Manifest["master_keys"];
  /** What is wrong with the first piece of the write-ahead log that can't be read, in a sentence. Everything before it was replayed. */
  damage: string | null;
  /** Why the anchors of the audit log couldn't be brought up to the restored time. */
  anchorsFault: string | null;
}

/** Reads all of a backup and throws a readable error about everything that is wrong with it. Returns its manifest. */
export async function checkBackup(from: string, identity: Identity | null): Promise<Manifest> {
  const manifest = await readManifest(from);
  if (manifest.recipient !== null && identity === null)
    throw new Error(`${from} is encrypted to ${manifest.recipient}. Pass the file with its private key: --identity <file>.`);
  if (manifest.postgres.major !== embeddedMajor())
    throw new Error(
      `${from} was made by PostgreSQL ${manifest.postgres.major}, but this version includes ${embeddedMajor()}. Restore it with the version of Tillpost that made it.`,
    );
  const damages: string[] = [];
  for (const file of manifest.files) {
    const damage = await findDamage(join(from, file.name), file);
    if (damage !== null) damages.push(damage);
  }
  if (damages.length > 0)
    throw new Error(`${from} is damaged, and nothing was restored:\n${damages.map((damage) => `  ${damage}`).join("\n")}`);
  if (manifest.recipient !== null && identity !== null)
    for (const { name } of manifest.files) await requireOpening(join(from, name), identity);
  return manifest;
}

/**
 * Restores a backup into an empty folder. Nothing is written there before the whole backup was read and verified; an incomplete folder is
 * marked, and `serve` refuses it.
 */
export async function restoreBackup({ from, into, identity, settings, at = null, beside = false }: Restoring): Promise<Restored> {
  const manifest = await checkBackup(from, identity);
  const where = walFolder(dirname(from), manifest.postgres);
  const { pieces, damage } =
    at === null
      ? { pieces: [], damage: null }
      : await chooseWhole(await listWalPieces(where), { from, where, manifest, until: at, identity });
  const dataFolder = openDataFolder(into);
  try {
    const lacking = await requireKeys(dataFolder, manifest, settings);
    await beginRestore(dataFolder, { from, keep: await findKept(into, keptOf({ from, identity, settings })) });
    const bytes = bytesOf(manifest) + bytesPlaced(pieces);
    await requireRoom(dataFolder.path, bytes, beside ? reserveBeside(settings, bytes) : settings.DISK_RESERVE_MB * 1_000_000).catch(
      async (error: unknown) => {
        // Leaves the folder as empty as it was.
        await finishRestore(dataFolder);
        throw error;
      },
    );
    const used = manifest.recipient === null ? null : identity;
    await unpack(fileOf(from, manifest, folderName), { folder: dataFolder.path, identity: used, owner: null });
    const { password } = JSON.parse(readFileSync(join(dataFolder.path, passwordName), "utf8")) as { password: string };
    await dataFolder.remove(passwordName);
    const data = await beginRestoredData(dataFolder, password);
    await unpack(fileOf(from, manifest, databaseName), { folder: data.half, identity: used, owner: data.owner });
    await placeWalPieces(pieces, { folder: join(data.half, "pg_wal"), identity, owner: data.owner });
    await data.finish();
    const target = at === null ? "end of copy" : at instanceof Date ? at : "end of log";
    let anchorsFault: string | null = null;
    const inspect = async (db: Db) => {
      if (at === null) return;
      // The database is good without them, and doctor reports what is wrong with the file.
      await completeAnchors(db, anchorFile(dataFolder.path)).catch((error: Error) => (anchorsFault = error.message));
    };
    const lastChange = await recoverData(dataFolder, target, inspect).catch((error: Error) => {
      throw damage === null ? error : new Error(`${error.message} ${damage}`, { cause: error });
    });
    await deleteTaken(dataFolder.path);
    await finishRestore(dataFolder);
    await syncFolder(dataFolder.path);
    return { manifest, lastChange, lacking, damage, anchorsFault };
  } finally {
    await dataFolder.release();
  }
}

function fileOf(from: string, { files }: Manifest, name: string): string {
  const file = files.find((one) => one.name === name || one.name === `${name}.age`);
  if (file === undefined) throw new Error(`${from} has no ${name}.`);
  return join(from, file.name);
}

/** Existing keys must be the right ones: checked now, rather than after the next start. Returns those that they lack. */
async function requireKeys(dataFolder: DataFolder, manifest: Manifest, settings: Restoring["settings"]): Promise<Manifest["master_keys"]> {
  const source = openKeySource({ ...settings, TILLPOST_DATA_DIR: dataFolder.path });
  if (source.ownFile !== null && !existsSync(source.ownFile)) return [];
  const { keys } = await source.read();
  for (const { number, fingerprint } of manifest.master_keys) {
    const key = keys.get(number);
    if (key !== undefined && fingerprintOf(key) !== fingerprint)
      throw new Error(
        `Master key ${number} isn't the one for this backup: its fingerprint is ${fingerprintOf(key)}, the backup's is ${fingerprint}.`,
      );
  }
  return manifest.master_keys.filter(({ number }) => !keys.has(number));
}

function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { holds_bytes }) => sum + holds_bytes, 0);
}

/** The copy's own database also writes, while it starts and is audited. */
function reserveBeside(settings: Restoring["settings"], bytes: number): number {
  return backupReserveBytes(settings) + bytes / 10;
}

async function requireRoom(folder: string, wanted: number, reserveBytes: number): Promise<void> {
  const room = await roomIn(folder, reserveBytes);
  if (room >= wanted) return;
  throw new Error(
    `The backup needs ${megabytes(wanted)} in ${folder}, in addition to the ${megabytes(reserveBytes)} that must stay free (DISK_RESERVE_MB). ${megabytes(Math.max(0, room))} are free.`,
  );
}
