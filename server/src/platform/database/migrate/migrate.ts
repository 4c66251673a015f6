import { setTimeout as pause } from "node:timers/promises";
import { listPending } from "./list-pending.ts";
import { type Migration, readMigrations } from "./read-migrations.ts";
import { runSteps } from "./run-steps.ts";
import { openSession, type Session } from "./session.ts";
import { adoptApplied, listApplied, recordApplied, setLockTimeout, takeTurn } from "./sql.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/** How long a process waits for another one that migrates the same database; a large index may take that one this long. */
const patienceMs = 3_600_000;

const records = `
  create table if not exists schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now());
  alter table schema_migrations add column if not exists checksum text;
  alter table schema_migrations add column if not exists min_program int not null default 0;
  create table if not exists schema_migration_steps (number int primary key, checksum text not null, steps_done int not null);
`;

/**
 * Applies the numbered files of `folder` that the database does not have yet; answers their names. Safe to run from many processes at once: one works, the others
 * wait. Throws before anything is written where an applied file was changed, a new one has a number below an applied one, or the schema wants a newer program.
 */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const session = await openSession(url);
  try {
    // Where there is nothing to do, nothing is written: a database may take no writes just now.
    const known = await listApplied(session.db);
    if (listPending(migrations, known).length === 0 && known.every(({ checksum }) => checksum !== null)) return [];
    await waitForTurn(session);
    await session.script(records);
    for (const migration of migrations) await adoptApplied(session.db, migration);
    const applied: string[] = [];
    for (const migration of listPending(migrations, await listApplied(session.db))) {
      await (migration.steps === null ? applyWhole(session, migration) : runSteps(session, migration, migration.steps));
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await session.close();
  }
}

/**
 * Asks again and again: a statement that waits for a lock holds a snapshot, for which `create index concurrently` of the process that has the lock would wait in
 * turn.
 */
async function waitForTurn({ db }: Session): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 250) {
    if (await takeTurn(db)) return;
    await pause(250);
  }
  throw new Error("Another process has been migrating this database for an hour. See what it waits for (pg_stat_activity, application_name tillpost-migrate).");
}

function applyWhole(session: Session, migration: Migration): Promise<void> {
  return withLockTimeout(migration.name, () =>
    session.transact(async () => {
      await setLockTimeout(session.db, { timeout: "2s", inTransaction: true });
      await recordApplied(session.db, migration);
      await session.script(migration.text);
    }),
  );
}
