import { getCompileCacheDir } from "node:module";
import { basename, dirname } from "node:path";

/**
 * The environment of this process's threads: nothing of its own, except where it keeps compiled sources. Without that every thread would
 * strip and compile its sources again, which takes longer than most of its work.
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  if (folder === undefined) return {};
  // Node adds a folder for its version, here and in the thread.
  return { NODE_COMPILE_CACHE: basename(folder).startsWith(process.version) ? dirname(folder) : folder };
}
