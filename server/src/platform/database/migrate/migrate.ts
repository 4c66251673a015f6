import { setTimeout as pause } from "node:timers/promises";
import { changeCatalogue } from "./change-catalogue.ts";
import { listPending } from "./list-pending.ts";
import { type Migration, readMigrations } from "./read-migrations.ts";
import { runSteps } from "./run-steps.ts";
import { openSession, type Session } from "./session.ts";
import { insertApplied, listApplied, updateChecksum, updateLockTimeout } from "./sql.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/**
 * As text, in one message: a statement with a name or values keeps a snapshot while its transaction is open, which `create index
 * concurrently` would wait for.
 */
const lockTurn = "select one from schema_migration_turn for update nowait";

/** How long a process waits for another one that migrates the same database; building a large index may take this long. */
const timeoutMs = 3_600_000;

const records = `
  create table if not exists schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now());
  alter table schema_migrations add column if not exists checksum text;
  alter table schema_migrations add column if not exists min_program int not null default 0;
  create table if not exists schema_migration_steps (number int primary key, checksum text not null, steps_done int not null);
  create table if not exists schema_migration_turn (one boolean primary key);
  insert into schema_migration_turn (one) values (true) on conflict do nothing;
`;

/**
 * Applies the numbered files of `folder` that the database doesn't have yet; returns their names. Safe to run from many processes at once:
 * one works, the others wait. Throws before it writes anything if an applied file was changed, a new one has a number below an applied one,
 * or the schema requires a newer program. With `upTo`, it stops after that number.
 */
export async function migrate(url: string, folder: URL, upTo = Number.POSITIVE_INFINITY): Promise<string[]> {
  const migrations = (await readMigrations(folder)).filter(({ number }) => number <= upTo);
  const session = await openSession(url);
  try {
    // If there is nothing to do, nothing is written, because the database may be read-only.
    const known = await listApplied(session.db);
    if (listPending(migrations, known).length === 0 && known.every(({ checksum }) => checksum !== null)) return [];
    await changeCatalogue(() => session.script(records));
    return await inTurn(url, () => applyPending(session, migrations));
  } finally {
    await session.close();
  }
}

async function applyPending(session: Session, migrations: readonly Migration[]): Promise<string[]> {
  for (const migration of migrations) await updateChecksum(session.db, migration);
  const applied: string[] = [];
  for (const migration of listPending(migrations, await listApplied(session.db))) {
    await (migration.steps === null ? applyInOneTransaction(session, migration) : runSteps(session, migration, migration.steps));
    applied.push(migration.name);
  }
  return applied;
}

/**
 * Runs `work` while this process has the turn, a row locked on a separate connection: it is released when that connection ends, however it
 * ends. Others poll, because a statement that waits for a lock holds a snapshot, which `create index concurrently` of the process with the
 * turn would wait for.
 */
async function inTurn<T>(url: string, work: () => Promise<T>): Promise<T> {
  const turn = await openSession(url);
  try {
    for (let waitedMs = 0; ; waitedMs += 250) {
      try {
        await turn.script(`begin; ${lockTurn}`);
        break;
      } catch (error) {
        await turn.script("rollback");
        if ((error as { code?: string }).code !== "55P03") throw error;
        if (waitedMs >= timeoutMs)
          throw new Error(
            "Another process has been migrating this database for an hour. See what it waits for (pg_stat_activity, application_name tillpost-migrate).",
          );
        await pause(250);
      }
    }
    return await work();
  } finally {
    await turn.close();
  }
}

function applyInOneTransaction(session: Session, migration: Migration): Promise<void> {
  return withLockTimeout(migration.name, () =>
    session.transact(async () => {
      await updateLockTimeout(session.db, { timeout: "2s", inTransaction: true });
      await insertApplied(session.db, migration);
      await session.script(migration.text);
    }),
  );
}
