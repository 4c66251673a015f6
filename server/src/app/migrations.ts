import { type Ctx, type Db, listApplied, listPending, readMigrations } from "#platform/index.ts";
import { findRole, migrateAsOwner } from "./database-roles/index.ts";

/** The folder of the numbered files that `migrate` applies. */
export const migrationsFolder = new URL("../../migrations/", import.meta.url);

/** Names of the files that the database does not have yet; all of them when it was never migrated. Throws a sentence where the database needs a newer program. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return listPending(await readMigrations(migrationsFolder), await listApplied(db)).map(({ name }) => name);
}

/** Applies what the database lacks, as the role that owns its tables, and lets the role that serves do what it may there. Answers the names of the files applied. */
export async function bringUpToDate({ ctx, ownerUrl }: { ctx: Pick<Ctx, "db">; ownerUrl: string }): Promise<string[]> {
  const { name } = await findRole(ctx.db);
  return await migrateAsOwner({ ownerUrl, folder: migrationsFolder, app: name });
}
