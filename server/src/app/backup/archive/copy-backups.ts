import { join } from "node:path";
import type { Bucket } from "../bucket/open-bucket.ts";
import { listBackups } from "./backup-folder.ts";
import { manifestName, sumsName } from "./manifest.ts";

/**
 * Copies to the bucket what it lacks of the backups in a folder. Returns how many files. The checksums of a backup go last: it's complete
 * there once they are.
 */
export async function copyBackups(folder: string, bucket: Bucket): Promise<number> {
  const known = new Set((await bucket.list("2")).map(({ key }) => key));
  let copied = 0;
  for (const { path, name, manifest } of await listBackups(folder))
    for (const file of [...manifest.files.map(({ name }) => name), manifestName, sumsName]) {
      const key = `${name}/${file}`;
      if (known.has(key)) continue;
      await bucket.upload(key, join(path, file));
      copied += 1;
    }
  return copied;
}
