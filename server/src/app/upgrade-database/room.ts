import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leastFree, type Place } from "../embedded/index.ts";

/** The copy in addition to the original, and as much again for sorting indexes and for concurrent writes. */
const factor = 2;
/** PostgreSQL writes its journal in 16 MB pieces, and stops if it has no room for one. */
const fullBytes = 2 * 16 * 1024 * 1024;
export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

/** Throws a readable error if the disk has no room for the copy. Returns the size of the old database. */
export async function requireRoom(place: Place, freeBytes?: () => Promise<number>): Promise<number> {
  const folder = dirname(place.data);
  const bytes = await sizeOf(place.data);
  const free = freeBytes === undefined ? await leastFree([folder]) : await freeBytes();
  if (free >= factor * bytes) return bytes;
  throw new Error(
    `The upgrade copies the database in ${folder}, which takes ${megabytes(bytes)}, and needs ${megabytes(factor * bytes)} of free space there; ${megabytes(free)} are free. Nothing was changed. Free some space and run it again.`,
  );
}

/** Whether the disk is full. A server that stopped because of it only leaves a broken connection as a sign. */
export async function isFull(place: Place): Promise<boolean> {
  return (await leastFree([dirname(place.data)])) < fullBytes;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
