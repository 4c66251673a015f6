import { type Db, listApplied, listPending, readMigrations } from "#platform/index.ts";

/** The folder of the numbered files that `migrate` applies. */
export const migrationsFolder = new URL("../../migrations/", import.meta.url);

/** Names of the files that the database does not have yet; all of them when it was never migrated. Throws a sentence where the database needs a newer program. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return listPending(await readMigrations(migrationsFolder), await listApplied(db)).map(({ name }) => name);
}
