import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "../../runtime/index.ts";
import { filesBelow } from "../archive/pack-folder.ts";
import { findDatabaseBytes } from "./sql.ts";

/**
 * The most that a backup takes, for the first one: the database, and the uploaded files if they are in the data folder. Files are images,
 * which hardly get smaller.
 */
export async function estimateBytes({ ctx, settings }: Pick<Runtime, "ctx" | "settings">): Promise<number> {
  let bytes = await findDatabaseBytes(ctx.db);
  if (settings.S3_ENDPOINT !== null) return bytes;
  for await (const path of filesBelow(join(settings.TILLPOST_DATA_DIR, "files")))
    bytes += await lstat(path).then(
      ({ size }) => size,
      // It was deleted a moment ago.
      () => 0,
    );
  return bytes;
}
