import { join } from "node:path";
import { afterAll } from "vitest";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { readWritten } from "#test/support/upgrade/written.ts";
import { copyDataFolder, makeOldDataFolder } from "./old-major.ts";

/** What a folder contains once its database was upgraded to this major. */
export const upgradedNames = { names: ["postgres", "postgres-17-kept", "postgres-17-kept.txt"], major: 18 };

/**
 * A data folder of the previous major, with what an early version wrote, and as many copies of it as a file's tests need. All of them are
 * removed with the file.
 */
export async function oldDataFolders(): Promise<{ folder: { path: string }; dataDir: string; newFolder(): string }> {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const dataDir = join(folder.path, "data");
  await makeOldDataFolder(dataDir, readWritten(new URL("../upgrade/written-by-10a5f56.json.gz", import.meta.url)));
  let copies = 0;
  const newFolder = () => {
    copies += 1;
    return copyDataFolder(dataDir, join(folder.path, `copy-${copies}`));
  };
  return { folder, dataDir, newFolder };
}
