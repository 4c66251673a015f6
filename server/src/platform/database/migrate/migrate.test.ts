import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "#platform/index.ts";
import { emptyDatabase } from "../../../../test/support/app/test-app.ts";
import { eventually } from "../../../../test/support/time/eventually.ts";
import { readMigration } from "./read-migrations.ts";

const { url, drop } = await emptyDatabase();
const admin = await connect();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillpost-migrate-"));
});

// Each test begins with an empty database. Creating one takes longer than most of them.
afterEach(async () => {
  await rm(folder, { recursive: true });
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} reset all; drop schema public cascade; create schema public`);
});

afterAll(async () => {
  await admin.end();
  await drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

const rows = async (text: string) => (await admin.query<Record<string, unknown>>(text)).rows;

const run = () => migrate(url, pathToFileURL(`${folder}/`));
const write = async (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
};
const numbers = async () => (await rows("select number from schema_migrations order by number")).map(({ number }) => number);
const steps = (...texts: string[]) => ["-- transaction: none", ...texts].join("\n");

test("files are applied once and in order, and a second run writes nothing", async () => {
  await write({ "0002_b.sql": "insert into a values (2);", "0001_a.sql": "create table a (n int);", "notes.txt": "not one" });
  expect(await run()).toEqual(["0001_a.sql", "0002_b.sql"]);
  await rows(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`);
  expect(await run()).toEqual([]);
  expect(await numbers()).toEqual([1, 2]);
});

test.each([
  ["a file that was applied and changed", { "0001_a.sql": "select 2;" }, /0001_a\.sql changed after the database applied it/],
  ["a number below the highest applied", { "0002_late.sql": "select 1;" }, /0002_late\.sql has a number below 3.*next free number/],
  ["two files of one number", { "0004_a.sql": "select 1;", "0004_b.sql": "select 1;" }, /Two migrations have the number of 0004_a\.sql/],
  ["a min_program that is no earlier migration", { "0004_a.sql": "-- min_program: 4\nselect 1;" }, /must be an earlier migration/],
  ["steps without a statement", { "0004_a.sql": "-- transaction: none\n-- step\n" }, /needs a statement after each line/],
  ["a statement before the first step", { "0004_a.sql": "-- transaction: none\nselect 1;\n-- step\nselect 1;" }, /before its first line/],
])("%s is refused, and nothing is applied", async (_, files, message) => {
  await write({ "0001_a.sql": "select 1;", "0003_c.sql": "select 1;" });
  await run();
  await write({ "0009_next.sql": "create table next (n int);", ...files });
  await expect(run()).rejects.toThrow(message);
  expect(await numbers()).toEqual([1, 3]);
});

test("line ends of another system aren't a change", async () => {
  await write({ "0001_a.sql": "select 1;\nselect 2;\n" });
  await run();
  await write({ "0001_a.sql": "select 1;\r\nselect 2;\r\n" });
  expect(await run()).toEqual([]);
});

test("a table of an earlier version, without checksums, accepts today's files as what it applied", async () => {
  await rows("create table schema_migrations (number int primary key, name text not null, applied_at timestamptz not null default now())");
  await rows("insert into schema_migrations (number, name) values (1, '0001_a.sql')");
  await write({ "0001_a.sql": "create table a (n int);" });
  expect(await run()).toEqual([]);
  const [row] = await rows("select checksum, min_program from schema_migrations");
  expect(row).toEqual({ checksum: readMigration("0001_a.sql", "create table a (n int);").checksum, min_program: 0 });
});

test("a program that knows less than the schema continues, until a migration specifies a newer one", async () => {
  await write({ "0001_a.sql": "select 1;", "0002_b.sql": "select 1;", "0003_c.sql": "select 1;" });
  await run();
  await rm(join(folder, "0003_c.sql"));
  expect(await run()).toEqual([]);
  await write({ "0003_c.sql": "select 1;", "0004_d.sql": "-- min_program: 3\nselect 1;", "0005_e.sql": "select 1;" });
  expect(await run()).toEqual(["0004_d.sql", "0005_e.sql"]);
  for (const name of ["0005_e.sql", "0004_d.sql"]) await rm(join(folder, name));
  expect(await run()).toEqual([]);
  await rm(join(folder, "0003_c.sql"));
  await expect(run()).rejects.toThrow("This version knows migrations up to 2, but the database needs a version that knows 3.");
});

test("a migration that waits for a busy table lets readers pass, and is applied once the table is free", async () => {
  await write({ "0001_a.sql": "create table a (n int);" });
  await run();
  await write({ "0002_b.sql": "create table before (n int); alter table a add column m int;" });
  const holder = await connect();
  await holder.query("begin; lock table a in access share mode");
  const running = run();
  try {
    await eventually("the migration waits", async () => {
      const [row] = await rows(
        "select count(*)::int as count from pg_stat_activity where application_name = 'tillpost-migrate' and wait_event_type = 'Lock'",
      );
      return row?.["count"] === 1;
    });
    expect(await rows("select count(*)::int as count from a")).toEqual([{ count: 0 }]);
  } finally {
    await holder.end();
  }
  expect(await running).toEqual(["0002_b.sql"]);
  expect(await numbers()).toEqual([1, 2]);
});

test("a migration of steps continues where it failed, and repeats a step until it changes nothing", async () => {
  const good = steps(
    "-- step",
    "insert into a select generate_series(1, 25);",
    "-- step: repeat",
    "update a set n = -n where n in (select n from a where n > 0 limit 10);",
  );
  await write({ "0001_a.sql": "create table a (n int);", "0002_b.sql": `${good}\n-- step\ninsert into missing values (1);` });
  await expect(run()).rejects.toThrow('relation "missing" does not exist');
  expect(await numbers()).toEqual([1]);
  await rows("create table missing (n int)");
  expect(await run()).toEqual(["0002_b.sql"]);
  expect(await rows("select count(*)::int as count, max(n) as most from a")).toEqual([{ count: 25, most: -1 }]);
  expect(await rows("select * from schema_migration_steps")).toEqual([]);
});

test("an index whose build was interrupted is dropped and built again, also with two concurrent migrators", async () => {
  await write({ "0001_a.sql": "create table a (n int); insert into a values (1), (1);" });
  await run();
  await write({ "0002_b.sql": steps("-- step", "create unique index concurrently if not exists a_n on a (n);") });
  await expect(run()).rejects.toThrow("could not create unique index");
  expect(await rows("select indisvalid from pg_index where indexrelid = 'a_n'::regclass")).toEqual([{ indisvalid: false }]);
  await rows("delete from a");
  expect((await Promise.all([run(), run(), run()])).flat()).toEqual(["0002_b.sql"]);
  expect(await rows("select indisvalid from pg_index where indexrelid = 'a_n'::regclass")).toEqual([{ indisvalid: true }]);
});

test("an index that the server finished after the connection was lost counts as built", async () => {
  await write({ "0001_a.sql": "create table a (n int);" });
  await run();
  await write({ "0002_b.sql": steps("-- step", "create index concurrently a_n on a (n);") });
  await run();
  // As if neither the step nor the migration had been stored.
  const [applied] = await rows("delete from schema_migrations where number = 2 returning checksum");
  await rows(`insert into schema_migration_steps (number, checksum, steps_done) values (2, '${applied?.["checksum"]}', 0)`);
  expect(await run()).toEqual(["0002_b.sql"]);
  expect(await rows("select indisvalid from pg_index where indexrelid = 'a_n'::regclass")).toEqual([{ indisvalid: true }]);
});

test("each file is applied by one of many concurrent migrators", async () => {
  await write({ "0001_a.sql": "create table a (n int);", "0002_b.sql": "insert into a values (1);" });
  expect((await Promise.all(Array.from({ length: 4 }, run))).flat().sort()).toEqual(["0001_a.sql", "0002_b.sql"]);
  expect(await rows("select n from a")).toEqual([{ n: 1 }]);
});
