import { basename, dirname, join } from "node:path";
import type { Bucket } from "../bucket/open-bucket.ts";
import { listBackups } from "./backup-folder.ts";
import { manifestName, sumsName } from "./manifest.ts";

/**
 * Copies to the bucket what it lacks of the backups in a folder. Returns how many files. The checksums of a backup go last: it's complete
 * there once they are. Throws a readable error if the newest, at this path, is neither here nor there: its disk may not be mounted yet.
 */
export async function copyBackups(folder: string, bucket: Bucket, newest?: string): Promise<number> {
  const known = new Set((await bucket.list("2")).map(({ key }) => key));
  const backups = await listBackups(folder);
  let copied = 0;
  for (const { path, name, manifest } of backups)
    for (const file of [...manifest.files.map(({ name }) => name), manifestName, sumsName]) {
      const key = `${name}/${file}`;
      if (known.has(key)) continue;
      await bucket.upload(key, join(path, file));
      copied += 1;
    }
  const isAway = newest !== undefined && dirname(newest) === folder && !backups.some(({ path }) => path === newest);
  if (isAway && !known.has(`${basename(newest)}/${sumsName}`)) throw new Error(`the newest, ${newest}, isn't there or can't be read`);
  return copied;
}
