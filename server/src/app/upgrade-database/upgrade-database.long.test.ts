import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { oldDataFolders, upgradedNames } from "#test/support/old-major/old-homes.ts";
import { databasesIn, oldPrograms, runCutOff, upgrade, withOldServer, withStarted } from "#test/support/old-major/old-major.ts";
import { childrenOf, killNow } from "#test/support/programs/program.ts";
import { checkRoles } from "../doctor/role-checks.ts";
import { pendingMigrations } from "../migrations.ts";
import { type UpgradeStep, upgradeSteps } from "./steps.ts";

const { newFolder } = await oldDataFolders();
const ask = (url: string, text: string) => onServer(url, async (admin) => (await admin.query<Record<string, unknown>>(text)).rows);
const change = (dataDir: string, ...texts: string[]) =>
  withOldServer(dataDir, async ({ url }) => {
    for (const text of texts) await ask(url, text);
  });

async function onStarted<T>(dataDir: string, work: (db: ReturnType<typeof openDatabase>["db"]) => Promise<T>): Promise<T> {
  return await withStarted(dataDir, async ({ url }) => {
    const database = openDatabase({ url, max: 2 });
    return await work(database.db).finally(() => database.close());
  });
}

test("every table is copied, the old server accepts no writes, and an upgrade that was interrupted at the last step is finished", async () => {
  const dataDir = newFolder();
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
  rmSync(dataDir, { recursive: true });
});

describe("the old database", () => {
  test("that was used after its copy was finished is copied again, with what was added", async () => {
    const dataDir = newFolder();
    await once(runCutOff(dataDir, "ready"), "exit");
    expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres", "postgres.upgraded"], major: 17 });
    await change(dataDir, "update projects set name = 'came since'");
    await upgrade(dataDir);
    await withStarted(dataDir, async ({ ownerUrl }) =>
      expect(await ask(ownerUrl, "select distinct name from projects")).toEqual([{ name: "came since" }]),
    );
    rmSync(dataDir, { recursive: true });
  });

  test("that is still written to is detected", async () => {
    const dataDir = newFolder();
    const written = upgrade(dataDir, {
      async atStep(step, { old }) {
        if (step === "copied") await ask(old ?? "", "begin read write; update projects set name = 'meanwhile'; commit");
      },
    });
    await expect(written).rejects.toThrow("Something wrote to the old database while it was copied.");
    rmSync(dataDir, { recursive: true });
  });

  test("with another user's objects is copied without them once that is confirmed", async () => {
    const dataDir = newFolder();
    await change(
      dataDir,
      `create role reporting; create view sales as select 1 as one; create schema mine; create table mine.notes (n int);
        create table todo (id int generated always as identity); create type pair as (a int, b int)`,
      "create database other",
    );
    const refused = await upgrade(dataDir).catch((error: Error) => error.message);
    for (const thing of [
      "database other",
      "role reporting",
      "schema mine",
      "view sales",
      "table todo",
      "composite type pair",
      "--leave-others",
      "Nothing was changed",
    ])
      expect(refused).toContain(thing);
    expect((await upgrade(dataDir, { leaveOthers: true })).output.join("\n")).toContain("view sales");
    expect(databasesIn(dataDir)).toMatchObject(upgradedNames);
    rmSync(dataDir, { recursive: true });
  });

  test.each([
    ["another column", "alter table orders add column mine int", "table orders has different columns"],
    [
      "a migration cut off",
      "create table if not exists schema_migration_steps (number int, checksum text, steps_done int); insert into schema_migration_steps values (26, '', 1)",
      "Migration 26 was interrupted",
    ],
    [
      "a migration of a later version",
      "insert into schema_migrations (number, name) values (9990, '9990_later.sql')",
      "has migration 9990, which this version doesn't know",
    ],
  ])("with %s is refused", async (_, text, message) => {
    const dataDir = newFolder();
    await change(dataDir, text);
    await expect(upgrade(dataDir)).rejects.toThrow(message);
    expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres"], major: 17 });
    rmSync(dataDir, { recursive: true });
  });

  test("with faults in its books is refused, or copied once that is confirmed", async () => {
    const dataDir = newFolder();
    await change(
      dataDir,
      "set session_replication_role = replica; update ledger_transfers set amount_minor = amount_minor + 1 where id = (select min(id) from ledger_transfers)",
    );
    await expect(upgrade(dataDir)).rejects.toThrow(/The copy equals the old database, and both have errors:[\s\S]*--despite-faults/);
    expect((await upgrade(dataDir, { despiteFaults: true })).output.join("\n")).toContain("Kept as it was:");
    expect(databasesIn(dataDir)).toMatchObject(upgradedNames);
    rmSync(dataDir, { recursive: true });
  });

  test("that was killed in the middle of its work recovers, and is copied completely", async () => {
    const dataDir = newFolder();
    await withOldServer(dataDir, async ({ url, pid }) => {
      await ask(url, "update projects set name = 'before the power cut'");
      for (const one of [pid, ...childrenOf(pid)]) killNow(one);
    });
    await upgrade(dataDir);
    await withStarted(dataDir, async ({ ownerUrl }) =>
      expect(await ask(ownerUrl, "select distinct name from projects")).toEqual([{ name: "before the power cut" }]),
    );
    rmSync(dataDir, { recursive: true });
  });
});

test("a copy that lost a row, a cent or a link of the audit chain is detected, and replaces nothing", async () => {
  const dataDir = newFolder();
  const tampered = upgrade(dataDir, {
    async atStep(step, { target }) {
      if (step !== "copied") return;
      await onServer(target ?? "", async (admin) => {
        await admin.query(`set session_replication_role = replica;
          delete from emails where id = (select min(id) from emails);
          update ledger_transfers set amount_minor = amount_minor + 1 where id = (select min(id) from ledger_transfers);
          update audit_chains set position = position + 1 where merchant_id = (select min(merchant_id) from audit_chains)`);
      });
    },
  });
  const { message } = await tampered.then(
    () => ({ message: "it passed" }),
    (error: Error) => error,
  );
  expect(message).toMatch(/^The copy differs from the old database:/);
  expect(message).toMatch(/emails: \d+ rows in the old database, \d+ in the copy/);
  expect(message).toContain("ledger_transfers: the same number of rows, but not the same rows");
  expect(message.match(/account prj_\w+ (test|live) \w+ \w+ [A-Z]{3}: -?\d+ in the old database, -?\d+ in the copy/g)).toHaveLength(2);
  expect(message).toMatch(/audit chain of mer_\w+: a different end/);
  expect(message).toContain("Nothing was changed");
  expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres"], major: 17 });
  rmSync(dataDir, { recursive: true });
});

test("a request to stop ends it, and leaves the old database as it was", async () => {
  const dataDir = newFolder();
  const ending = new AbortController();
  const stopped = upgrade(dataDir, { signal: ending.signal, atStep: async (step) => void (step === "copying" && ending.abort()) });
  await expect(stopped).rejects.toThrow("The upgrade was stopped.\nNothing was changed");
  expect(databasesIn(dataDir)).toMatchObject({ names: ["postgres"], major: 17 });
  rmSync(dataDir, { recursive: true });
});
