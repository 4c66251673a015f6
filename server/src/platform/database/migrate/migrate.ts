import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { type Db, wrapSql } from "../../sql.ts";
import { connectionOf } from "../database-url.ts";
import { listPending } from "./list-pending.ts";
import { type Migration, readMigrations } from "./read-migrations.ts";
import { prepareRecords, recordApplied } from "./records.ts";
import { runSteps } from "./run-steps.ts";
import { listApplied } from "./sql.ts";
import { withLockTimeout } from "./with-lock-timeout.ts";

/** How long a process waits for another one that migrates the same database; a large index may take that one this long. */
const patience = 3_600_000;

/**
 * Applies the numbered files of `folder` that the database does not have yet; answers their names. Safe to run from many processes at once: one works, the others
 * wait. Throws before anything is written where an applied file was changed, a new one has a number below an applied one, or the schema wants a newer program.
 */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const [address, socket] = connectionOf(url);
  const client = postgres(address, { ...socket, max: 1, onnotice: () => {}, connection: { application_name: "tillpost-migrate" } });
  const db = wrapSql<Db>(client);
  try {
    // Where there is nothing to do, nothing is written: a database may take no writes just now.
    const known = await listApplied(db);
    if (listPending(migrations, known).length === 0 && known.every(({ checksum }) => checksum !== null)) return [];
    await takeTurn(client);
    await prepareRecords(client, migrations);
    const applied: string[] = [];
    for (const migration of listPending(migrations, await listApplied(db))) {
      await (migration.steps === null ? applyWhole(client, migration) : runSteps(client, migration, migration.steps));
      applied.push(migration.name);
    }
    return applied;
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Held until the connection ends. Asked for again and again: a statement that waits for a lock holds a snapshot, for which `create index concurrently` of the
 * process that has the lock would wait in turn.
 */
async function takeTurn(client: postgres.Sql): Promise<void> {
  for (let waited = 0; waited < patience; waited += 250) {
    const [row] = await client<{ taken: boolean }[]>`select pg_try_advisory_lock(hashtextextended('tillpost migrations', 0)) as taken`;
    if (row?.taken === true) return;
    await pause(250);
  }
  throw new Error("Another process has been migrating this database for an hour. See what it waits for (pg_stat_activity, application_name tillpost-migrate).");
}

function applyWhole(client: postgres.Sql, migration: Migration): Promise<void> {
  return withLockTimeout(migration.name, async () => {
    await client.begin(async (tx) => {
      await tx`select set_config('lock_timeout', '2s', true)`;
      await recordApplied(tx, migration);
      await tx.unsafe(migration.text).simple();
    });
  });
}
