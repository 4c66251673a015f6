import { changeCatalogue, migrate, openSession } from "#platform/index.ts";
import { grantsScript } from "./scripts.ts";
import { findRole } from "./sql.ts";

export interface Migrating {
  /** The database as the role that owns its tables. */
  ownerUrl: string;
  folder: URL;
  /** The role that serves. */
  app: string;
  /** The highest number to apply; without it, all are. */
  upTo?: number;
}

/**
 * Applies missing migrations as the role that owns the tables, and grants the serving role its privileges there. Returns the names of the
 * applied files.
 */
export async function migrateAsOwner({ ownerUrl, folder, app, upTo }: Migrating): Promise<string[]> {
  const session = await openSession(ownerUrl);
  try {
    const owner = (await findRole(session.db)).name;
    if (owner === app) return await migrate(ownerUrl, folder, upTo);
    const grants = () => changeCatalogue(() => session.script(grantsScript({ owner, app })));
    // Grants before migrating as well: a new migration's trigger may write to its new table on behalf of a process that is still serving.
    await grants();
    const applied = await migrate(ownerUrl, folder, upTo);
    if (applied.length > 0) await grants();
    return applied;
  } finally {
    await session.close();
  }
}
