import { randomBytes } from "node:crypto";
import { chownSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "./data-folder.ts";
import type { Place } from "./postgres-place.ts";

/** Name prefix of the folder of a database that is still being created; the next start removes it. */
export const unfinished = "postgres.unfinished-";

/** Creates an empty folder for a database next to its final location. */
export async function beginData({ data, user }: Pick<Place, "data" | "user">): Promise<string> {
  const half = join(dirname(data), `${unfinished}${randomBytes(4).toString("hex")}`);
  await mkdir(half, { mode: 0o700 });
  if (user !== null) chownSync(half, user.uid, user.gid);
  return half;
}

/** Moves it to its final location, once it's complete. */
export async function finishData({ data }: Pick<Place, "data">, half: string): Promise<void> {
  await rename(half, data);
  await syncFolder(dirname(data));
}
