import { readdir } from "node:fs/promises";
import type { Db } from "#platform/index.ts";
import { listMigrations } from "./sql.ts";

/** The folder of the numbered files that `migrate` applies. */
export const migrationsFolder = new URL("../../migrations/", import.meta.url);

/** Files that the database does not have yet; all of them when it was never migrated. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const applied = await listMigrations(db).catch((error: { code?: string }) => {
    if (error.code === "42P01") return [] as number[];
    throw error;
  });
  const files = (await readdir(migrationsFolder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return files.filter((name) => !applied.includes(Number(name.slice(0, 4))));
}
