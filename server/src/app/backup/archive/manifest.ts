import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WalPlace } from "#platform/index.ts";

/** One file of a backup. */
export interface BackupFile {
  name: string;
  bytes: number;
  sha256: string;
  /** The size of its content, decrypted and decompressed. */
  holds_bytes: number;
}

/** A backup's description of itself, in `manifest.json`. Contains no secret. */
export interface Manifest {
  format: typeof format;
  started_at: string;
  finished_at: string;
  /** The newest migration of the database; null before the first. */
  migration: number | null;
  /** `history` is absent if the database was never restored itself, and in backups of earlier versions. */
  postgres: { major: number; system_id: string; history?: string; start: WalPlace; end: WalPlace };
  /** The public key that it's encrypted to; null if it isn't. */
  recipient: string | null;
  /** The master keys that open what is sealed in it. No backup contains the keys themselves. */
  master_keys: { number: number; fingerprint: string }[];
  /** Where uploaded files are: in this backup, or in a bucket that the backup doesn't include. */
  uploads: "in this backup" | { s3_endpoint: string; s3_bucket: string };
  files: BackupFile[];
}

const format = "tillpost-backup-1";
export const manifestName = "manifest.json";
/** In the format of `sha256sum --check`. */
export const sumsName = "SHA256SUMS";
export const databaseName = "database.tar.zst";
export const folderName = "folder.tar.zst";
/** In the archive of the folder: the password of the database's superuser. */
export const passwordName = "superuser.json";

/** Adds the format to a manifest. */
export function manifestOf(given: Omit<Manifest, "format">): Manifest {
  return { format, ...given };
}

/** The lines of `SHA256SUMS`: the archives, and the manifest itself. */
export function sumsOf(files: readonly Pick<BackupFile, "name" | "sha256">[], manifestText: string): string {
  return [...files, { name: manifestName, sha256: sha256(manifestText) }].map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}

/**
 * Reads the manifest of a backup. Throws a readable error if the folder isn't a backup, is incomplete or was changed; doesn't read the
 * archives.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readOrExplain(folder, manifestName);
  const sums = await readOrExplain(folder, sumsName);
  const manifest = parse(text);
  if (manifest === null || sums !== sumsOf(manifest.files, text))
    throw new Error(`${folder} is damaged: ${manifestName} and ${sumsName} don't match.`);
  if (manifest.format !== format)
    throw new Error(`${folder} has the format ${JSON.stringify(manifest.format)}, which this version doesn't know. A newer version may.`);
  return manifest;
}

async function readOrExplain(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), "utf8").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? `it has no ${name}` : `${name} can't be read: ${error.message}`;
    throw new Error(`${folder} isn't a complete backup: ${why}.`, { cause: error });
  });
}

function parse(text: string): Manifest | null {
  try {
    const value = JSON.parse(text) as Manifest;
    return Array.isArray(value.files) ? value : null;
  } catch {
    return null;
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
