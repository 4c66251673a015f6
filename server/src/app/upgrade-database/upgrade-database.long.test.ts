import { once } from "node:events";
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { onServer } from "#test/support/database/postgres.ts";
import { oldDataFolders, upgradedNames } from "#test/support/old-major/old-homes.ts";
import { databasesIn, runCutOff, upgrade, withOldServer, withStarted } from "#test/support/old-major/old-major.ts";
import { childrenOf, killNow } from "#test/support/programs/program.ts";

const { newFolder } = await oldDataFolders();
const ask = (url: string, text: string) => onServer(url, async (admin) => (await admin.query<Record<string, unknown>>(text)).rows);
const change = (dataDir: string, ...texts: string[]) =>
  withOldServer(dataDir, async ({ url }) => {
    for (const text of texts) await ask(url, text);
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
