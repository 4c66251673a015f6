import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "#platform/index.ts";

export const migrations = new URL("../../../migrations/", import.meta.url);

/** Migrates an empty database to the state of a version that didn't know this migration yet. */
export async function migrateBefore(url: string, number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-migrations-"));
  try {
    for (const name of await readdir(migrations))
      if (Number(name.slice(0, 4)) < number) await cp(new URL(name, migrations), join(folder, name));
    await migrate(url, pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}
