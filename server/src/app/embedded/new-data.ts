import { randomBytes } from "node:crypto";
import { chownSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder } from "./data-folder.ts";
import type { Place } from "./postgres-place.ts";

/** What names the folder of a database that is still being made; the next start removes it. */
export const unfinished = "postgres.unfinished-";

/** Makes an empty folder for a database beside where it will live. */
export async function beginData({ data, user }: Pick<Place, "data" | "user">): Promise<string> {
  const half = join(dirname(data), `${unfinished}${randomBytes(4).toString("hex")}`);
  await mkdir(half, { mode: 0o700 });
  if (user !== null) chownSync(half, user.uid, user.gid);
  return half;
}

/** Gives it its place, once it is whole. */
export async function finishData({ data }: Pick<Place, "data">, half: string): Promise<void> {
  await rename(half, data);
  await syncFolder(dirname(data));
}
