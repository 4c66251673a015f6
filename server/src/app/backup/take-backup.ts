import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BaseBackup, listApplied, openBaseBackup } from "#platform/index.ts";
import { historyOf } from "../embedded/index.ts";
import { listMasterKeys } from "../master-keys/index.ts";
import { holdAnchors, type Runtime } from "../runtime/index.ts";
import { type ArchiveTarget, writeArchive } from "./archive/archive-file.ts";
import { type BackupFolder, backupReserveBytes, openBackupFolder, roomIn } from "./archive/backup-folder.ts";
import {
  type BackupFile,
  databaseName,
  folderName,
  type Manifest,
  manifestName,
  manifestOf,
  passwordName,
  sumsName,
  sumsOf,
} from "./archive/manifest.ts";
import { megabytes } from "./archive/megabytes.ts";
import { startPacking } from "./archive/pack-folder.ts";
import { tidyWal } from "./wal/index.ts";

/** A finished backup and its path. */
export interface Taken {
  path: string;
  manifest: Manifest;
  /** What couldn't be removed, with reasons. The backup is good all the same. */
  leftovers: string[];
}

type Source = Pick<Runtime, "ctx" | "log" | "settings" | "backupUrl">;

/**
 * Copies the embedded database and the uploaded files into a new folder under `to`, while both are in use. The folder gets its final name
 * only once all of it is on disk.
 */
export async function takeBackup(runtime: Source, to: string): Promise<Taken> {
  if (runtime.backupUrl === null && runtime.settings.DATABASE_URL === null)
    throw new Error("The Tillpost running on this data folder is a version without backups. Stop it, and start this version.");
  if (runtime.backupUrl === null)
    throw new Error(
      "This command backs up the embedded database. For your own PostgreSQL, use pg_basebackup or pgBackRest: see docs/operations.md.",
    );
  const folder = await openBackupFolder(to);
  try {
    const database = await openBaseBackup(runtime.backupUrl);
    try {
      const current = { system_id: database.systemId, history: historyOf(runtime.settings.TILLPOST_DATA_DIR) };
      // If earlier backups were removed manually, their write-ahead log makes room for this one. If it can't, that is reported below.
      await tidyWal(to, current).catch(() => undefined);
      const taken = await write(runtime, folder, database);
      // The backup is good, even if what it replaces can't be removed.
      await tidyWal(to, current).catch((error: Error) =>
        taken.leftovers.push(`write-ahead log that no backup needs any more: ${error.message}`),
      );
      return taken;
    } finally {
      database.archive.destroy();
      await database.close();
    }
  } finally {
    folder.release();
  }
}

async function write(runtime: Source, folder: BackupFolder, database: BaseBackup): Promise<Taken> {
  const started = runtime.ctx.now();
  const name = started.toISOString().replaceAll(":", "-");
  const path = await folder.begin(name);
  const history = historyOf(runtime.settings.TILLPOST_DATA_DIR);
  try {
    // The copied database and the copied anchors must agree.
    const release = await holdAnchors(runtime.settings.TILLPOST_DATA_DIR);
    const files = await writeArchives(runtime, path, database).finally(release);
    const manifest = manifestOf({
      started_at: started.toISOString(),
      finished_at: runtime.ctx.now().toISOString(),
      migration: (await listApplied(runtime.ctx.db)).at(-1)?.number ?? null,
      postgres: {
        major: database.major,
        system_id: database.systemId,
        ...(history === null ? {} : { history }),
        start: database.start,
        end: await database.end,
      },
      recipient: runtime.settings.BACKUP_RECIPIENT,
      master_keys: (await listMasterKeys(runtime.ctx.db)).map(({ number, fingerprint }) => ({ number, fingerprint })),
      uploads: uploadsOf(runtime),
      files,
    });
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(path, manifestName), text, { flag: "wx", mode: 0o600, flush: true });
    await writeFile(join(path, sumsName), sumsOf(files, text), { flag: "wx", mode: 0o600, flush: true });
    return { path: await folder.finish(name), manifest, leftovers: [...folder.stuck] };
  } catch (error) {
    await folder.abandon(name);
    throw explain(error as NodeJS.ErrnoException, folder.path);
  }
}

/**
 * The folder's archive starts before the database's and ends after it: a file that the database refers to at the end of its copy existed at
 * the first scan or exists at the second, even if it's deleted in the meantime.
 */
async function writeArchives(runtime: Source, path: string, database: BaseBackup): Promise<BackupFile[]> {
  const data = runtime.settings.TILLPOST_DATA_DIR;
  const uploads = runtime.settings.S3_ENDPOINT === null;
  const packing = startPacking();
  const folder = writeArchive(packing.archive, targetOf(runtime, path, folderName));
  const pack = async () => {
    const { password } = JSON.parse(readFileSync(join(data, "postgres.json"), "utf8")) as { password: string };
    packing.addText(passwordName, `${JSON.stringify({ password })}\n`);
    if (uploads) await packing.addFolder(join(data, "files"), "files");
    for (const name of readdirSync(data)) if (/^audit-anchors.*\.jsonl$/.test(name)) await packing.addFile(name, join(data, name));
    const copied = await writeArchive(database.archive, targetOf(runtime, path, databaseName));
    if (uploads) await packing.addFolder(join(data, "files"), "files");
    packing.finish();
    return copied;
  };
  // If one fails, the other is stopped and awaited: nothing may keep writing into a folder that is being removed.
  const [own, copied] = await Promise.allSettled([
    folder.catch((error: Error) => {
      database.archive.destroy(error);
      throw error;
    }),
    pack().catch((error: Error) => {
      packing.archive.destroy(error);
      throw error;
    }),
  ]);
  // The folder's error comes first: if the other fails, it's passed on to the folder's archive, and if the folder's fails, the other only
  // shows a closed stream.
  if (own.status === "rejected") throw own.reason;
  if (copied.status === "rejected") throw copied.reason;
  return [copied.value, own.value];
}

function targetOf({ settings }: Source, path: string, name: string): ArchiveTarget {
  const recipient = settings.BACKUP_RECIPIENT;
  return {
    path: join(path, recipient === null ? name : `${name}.age`),
    recipient,
    async requireRoom() {
      const reserveBytes = backupReserveBytes(settings);
      if ((await roomIn(path, reserveBytes)) <= 0) throw noRoom(path, reserveBytes);
    },
  };
}

function noRoom(path: string, reserveBytes: number): Error {
  return new Error(
    `There isn't enough space on the disk of ${path}: ${megabytes(reserveBytes)} must stay free, more than DISK_RESERVE_MB. The backup was stopped, and its files were removed.`,
  );
}

function explain(error: NodeJS.ErrnoException, path: string): Error {
  // A connection isn't told why it ends: a slot that would keep too much is taken from it, or the server stops.
  const isCutOff = error.code === "57P01" || /\bWAL (segments?|files?)\b|Connection terminated/i.test(error.message);
  if (isCutOff)
    return new Error(
      `The copy of the database was cut off (${error.message}): Tillpost was stopped, or more than 2 GB was written to the database in the meantime. Take the backup again. If so much is always written, use your own PostgreSQL with pgBackRest: see docs/operations.md.`,
      { cause: error },
    );
  if (error.code !== "ENOSPC") return error;
  return new Error(`The disk of ${path} is full. The backup was stopped, and its files were removed.`, { cause: error });
}

function uploadsOf({ settings }: Source): Manifest["uploads"] {
  if (settings.S3_ENDPOINT === null) return "in this backup";
  return { s3_endpoint: settings.S3_ENDPOINT, s3_bucket: settings.S3_BUCKET ?? "" };
}
