import { join } from "node:path";
import type { Bucket } from "../bucket/open-bucket.ts";
import { listBackups, openBackupFolder, requireRoomFor } from "./backup-folder.ts";
import { sumsName } from "./manifest.ts";

export interface Fetching {
  /** The backup's name, or "latest". */
  name: string;
  /** Where backups are stored on this machine. */
  folder: string;
  reserveBytes: number;
}

/** Downloads a backup from the bucket, unless it's already on this machine. Returns its path. */
export async function fetchBackup(bucket: Bucket, { name: wanted, folder, reserveBytes }: Fetching): Promise<string> {
  const objects = await bucket.list("2");
  const whole = objects.filter(({ key }) => key.endsWith(`/${sumsName}`)).map(({ key }) => key.slice(0, key.indexOf("/")));
  const name = wanted === "latest" ? whole.sort().at(-1) : whole.find((one) => one === wanted);
  if (name === undefined)
    throw new Error(`The bucket ${bucket.name} has no backup ${wanted}. Its newest: ${whole.sort().slice(-10).join(", ") || "none"}.`);
  if ((await listBackups(folder)).some((one) => one.name === name)) return join(folder, name);
  const held = await openBackupFolder(folder);
  try {
    const files = objects.filter(({ key }) => key.startsWith(`${name}/`));
    await requireRoomFor(files, { folder, reserveBytes });
    const half = await held.begin(name);
    for (const file of files) await bucket.download(file, join(half, file.key.slice(name.length + 1)));
    return await held.finish(name);
  } catch (error) {
    await held.abandon(name);
    throw error;
  } finally {
    held.release();
  }
}
