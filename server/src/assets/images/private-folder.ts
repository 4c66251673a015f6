import { lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A folder of this process in the system's temporary folder, deleted with the process. Ask for its path before each use: systems remove
 * what wasn't used for some days, and then it is made again.
 */
export function privateFolder(prefix: string): () => string {
  let folder: string | null = null;
  process.once("exit", () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (folder === null || !isOwnAgain(folder)) folder = mkdtempSync(join(tmpdir(), prefix));
    return folder;
  };
}

/** Makes it again if it was removed. False if another user took the name in the meantime. */
function isOwnAgain(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(folder);
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
}
