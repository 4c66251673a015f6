import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Bucket } from "../bucket/open-bucket.ts";
import { findDamage } from "./archive-file.ts";
import { openBackupFolder, requireRoomFor } from "./backup-folder.ts";
import { databaseName, folderName, manifestName, readManifest, sumsName } from "./manifest.ts";

export interface Fetching {
  /** The backup's name, or "latest". */
  name: string;
  /** Where backups are stored on this machine. */
  folder: string;
  reserveBytes: number;
}

export interface Fetched {
  path: string;
  /** Where a damaged backup of this name is now that was on this machine; null if there was none. */
  aside: string | null;
}

/** All that a backup consists of. Other names in a bucket could lead out of the folder. */
const fileNames = new Set([manifestName, sumsName, ...[databaseName, folderName].flatMap((name) => [name, `${name}.age`])]);

/** Downloads a backup from the bucket, unless it's on this machine already, and undamaged. */
export async function fetchBackup(bucket: Bucket, { name: wanted, folder, reserveBytes }: Fetching): Promise<Fetched> {
  const objects = (await bucket.list("2")).flatMap((object) => {
    const [, name = "", file = ""] = /^(\d{4}-\d\d-\d\dT[^/]*)\/([^/]+)$/.exec(object.key) ?? [];
    return fileNames.has(file) ? [{ ...object, name, file }] : [];
  });
  const whole = objects.flatMap(({ name, file }) => (file === sumsName ? [name] : [])).sort();
  const name = wanted === "latest" ? whole.at(-1) : whole.find((one) => one === wanted);
  if (name === undefined)
    throw new Error(`The bucket ${bucket.name} has no backup ${wanted}. Its newest: ${whole.slice(-10).join(", ") || "none"}.`);
  if (await isWhole(join(folder, name))) return { path: join(folder, name), aside: null };
  const held = await openBackupFolder(folder);
  try {
    const files = objects.filter((object) => object.name === name);
    await requireRoomFor(files, { folder, reserveBytes });
    const half = await held.begin(name);
    for (const object of files) await bucket.download(object, join(half, object.file));
    const aside = await setAside(folder, name);
    return { path: await held.finish(name), aside };
  } catch (error) {
    await held.abandon(name);
    throw error;
  } finally {
    held.release();
  }
}

async function isWhole(path: string): Promise<boolean> {
  const manifest = await readManifest(path).catch(() => null);
  for (const file of manifest?.files ?? []) if ((await findDamage(join(path, file.name), file)) !== null) return false;
  return manifest !== null;
}

/** Gives a backup a name that isn't one of a backup, if it exists. Returns its path then. */
async function setAside(folder: string, name: string): Promise<string | null> {
  const [path, aside] = [join(folder, name), join(folder, `damaged-${name}`)];
  if (!existsSync(path)) return null;
  await rm(aside, { recursive: true, force: true });
  await rename(path, aside);
  return aside;
}
