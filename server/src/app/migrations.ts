import { type Ctx, type Db, listApplied, listPending, readMigrations } from "#platform/index.ts";
import { findRole, migrateAsOwner } from "./database-roles/index.ts";

/** The folder of the numbered files that `migrate` applies. */
export const migrationsFolder = new URL("../../migrations/", import.meta.url);

/**
 * Names of the files that the database doesn't have yet; all of them if it was never migrated. Throws a readable error if the database
 * needs a newer program.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return listPending(await readMigrations(migrationsFolder), await listApplied(db)).map(({ name }) => name);
}

/**
 * Applies missing migrations as the role that owns the tables, and grants the serving role its privileges there. Returns the names of the
 * applied files.
 */
export async function bringUpToDate({ ctx, ownerUrl }: { ctx: Pick<Ctx, "db">; ownerUrl: string }): Promise<string[]> {
  const { name } = await findRole(ctx.db);
  return await migrateAsOwner({ ownerUrl, folder: migrationsFolder, app: name });
}
