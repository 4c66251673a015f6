import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leastFree, type Place } from "../embedded/index.ts";

/** The copy in addition to the original, and as much again for sorting indexes and for concurrent writes. */
const factor = 2;
/** PostgreSQL writes its journal in pieces of 16 MB, and ends where it has no room for one. */
const fullBytes = 2 * 16 * 1024 * 1024;
export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

/** Throws a sentence where the disk has no room for the copy. Answers what the old database takes. */
export async function requireRoom(place: Place, freeBytes?: () => Promise<number>): Promise<number> {
  const folder = dirname(place.data);
  const bytes = await sizeOf(place.data);
  const free = freeBytes === undefined ? await leastFree([folder]) : await freeBytes();
  if (free >= factor * bytes) return bytes;
  throw new Error(
    `The upgrade copies the database in ${folder}, which takes ${megabytes(bytes)}, and needs ${megabytes(factor * bytes)} of free space there; ${megabytes(free)} are free. Nothing was changed. Free some space and run it again.`,
  );
}

/** Whether the disk ran full. A server that ended of it leaves nothing but a cut connection to tell of. */
export async function isFull(place: Place): Promise<boolean> {
  return (await leastFree([dirname(place.data)])) < fullBytes;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
