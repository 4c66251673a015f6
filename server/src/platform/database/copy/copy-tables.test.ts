import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, expect, test } from "vitest";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { beginSnapshot, copyTables, digestTables } from "./copy-tables.ts";
import { openCopySession } from "./session.ts";
import { listCopyTables } from "./sql.ts";

const schema = `
  create type mood as enum ('glad', 'sad');
  create domain amount as bigint check (value >= 0);
  create table hens (id int primary key, egg_id int, mood mood, born date not null default '2026-01-01');
  create table eggs (id int primary key, hen_id int not null references hens (id));
  alter table hens add foreign key (egg_id) references eggs (id);
  create table books (id bigint generated always as identity primary key, amount amount, doubled bigint generated always as (amount * 2) stored,
    payload jsonb, bytes bytea, tags text[], price numeric(12, 4), at timestamptz);
  create function refuse() returns trigger language plpgsql as $$ begin raise 'append only'; end $$;
  create trigger books_append_only before update or delete on books for each row execute function refuse();
  create trigger books_no_truncate before truncate on books for each statement execute function refuse();
  create function count_up() returns trigger language plpgsql as $$ begin update counters set n = n + 1; return new; end $$;
  create table counters (n int);
  insert into counters values (0);
  create trigger books_counted after insert on books for each row execute function count_up();
  create table days (day date, what text) partition by range (day);
  create table days_2025 partition of days for values from ('2025-01-01') to ('2026-01-01');
  create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01');
  create unlogged table windows (k text primary key, n int);
  create table "Odd ""name""" ("A column" text, gone int);
  alter table "Odd ""name""" drop column gone;
  create table bare ();
  create sequence numbers;
  create sequence untouched start 7;
  create view all_books as select * from books;`;

const rows = `
  insert into hens (id, mood) select n, 'glad' from generate_series(1, 1000) n;
  insert into eggs select n, n from generate_series(1, 1000) n;
  update hens set egg_id = id, mood = 'sad' where id % 3 = 0;
  insert into books (amount, payload, bytes, tags, price, at)
    select n, jsonb_build_object('a', n, 'b', null, 'c', '漢字'), decode(md5(n::text), 'hex'), array['x', null, n::text], n / 7.0, '2026-11-22T00:00:00.123Z'::timestamptz
    from generate_series(1, 2000) n;
  insert into days select '2025-12-01'::date + n, 'day ' || n from generate_series(0, 60) n;
  insert into windows values ('a', 1), ('b', null);
  insert into "Odd ""name""" values ('tab\tquote"'), (null), (repeat('toast', 100000));
  insert into bare default values;
  select setval('numbers', 41);
  select nextval('numbers');
  create sequence not_there;`;

const source = await emptyDatabase();
const target = await emptyDatabase();
const from = await openCopySession(source.url);
const to = await openCopySession(target.url);
afterAll(async () => {
  await Promise.all([from.close(), to.close()]);
  await Promise.all([source.drop(), target.drop()]);
});
await onServer(source.url, async (admin) => void (await admin.query(schema + rows)));
// Existing rows are replaced.
await onServer(
  target.url,
  async (admin) => void (await admin.query(`${schema} insert into hens (id) values (5000); insert into windows values ('before', 1);`)),
);
const on = <Row = Record<string, unknown>>(url: string, text: string) =>
  onServer(url, async (admin) => (await admin.query(text)).rows as Row[]);
const tables = await listCopyTables(from.db);

test("copies tables whatever guards them, and the copy is equal to the last byte", async () => {
  expect(tables.map(({ name }) => name)).toEqual([
    'Odd "name"',
    "bare",
    "books",
    "counters",
    "days_2025",
    "days_2026",
    "eggs",
    "hens",
    "windows",
  ]);
  const progress: string[] = [];
  await beginSnapshot(from);
  const copied = await copyTables(from, to, {
    tables,
    onProgress: ({ table, rows }) => rows !== null && progress.push(`${table.name} ${rows}`),
  });
  await from.script("commit");
  expect(progress).toEqual(copied.map(({ table, rows }) => `${table} ${rows}`));
  expect(copied.find(({ table }) => table === "books")).toMatchObject({ rows: 2000 });
  await beginSnapshot(to);
  expect(await digestTables(to, { tables })).toEqual(copied);
  await to.script("commit");
  for (const statement of [
    "select * from books order by id",
    "select * from days order by day",
    "select * from hens order by id",
    "select * from counters",
  ])
    expect(await on(target.url, statement)).toEqual(await on(source.url, statement));
});

test("afterwards guards exist, generated columns are filled, and sequences continue where they were", async () => {
  for (const statement of ["update books set amount = 1", "delete from books", "truncate books"])
    await expect(on(target.url, statement)).rejects.toThrow("append only");
  await expect(on(target.url, "insert into eggs values (1001, 9999)")).rejects.toThrow("foreign key");
  expect(await on(target.url, "insert into books (amount) values (21) returning id::int, doubled::int")).toEqual([
    { id: 2001, doubled: 42 },
  ]);
  expect(await on(target.url, "select nextval('numbers')::int as n, nextval('untouched')::int as first")).toEqual([{ n: 43, first: 7 }]);
  expect(await on(target.url, "select relpersistence::text as kind from pg_class where relname = 'windows'")).toEqual([{ kind: "u" }]);
});

test("what is lost, added or changed shows in the digest of its table", async () => {
  const digests = async () => {
    await beginSnapshot(to);
    const found = await digestTables(to, { tables });
    await to.script("commit");
    return new Map(found.map(({ table, ...digest }) => [table, digest]));
  };
  const before = await digests();
  const changes = {
    counters: "update counters set n = n + 1",
    windows: "delete from windows where k = 'b'",
    days_2026: "insert into days_2026 values ('2026-12-24', 'one more')",
  };
  for (const statement of Object.values(changes)) await on(target.url, statement);
  const after = await digests();
  const differ = [...after].filter(([table, digest]) => digest.sha256 !== before.get(table)?.sha256).map(([table]) => table);
  expect(differ).toEqual(Object.keys(changes).sort());
  expect([after.get("windows")?.rows, after.get("days_2026")?.rows]).toEqual([1, (before.get("days_2026")?.rows ?? 0) + 1]);
});

test("a row that the target refuses, or a request to stop, leaves the target as it was", async () => {
  await on(target.url, "alter table hens add constraint none_sad check (mood <> 'sad') not valid");
  const left = await on(target.url, "select count(*)::int as count from books");
  const attempt = async (signal?: AbortSignal) => {
    const [one, other] = [await openCopySession(source.url), await openCopySession(target.url)];
    try {
      await beginSnapshot(one);
      await copyTables(one, other, { tables, ...(signal === undefined ? {} : { signal }) });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  };
  await expect(attempt()).rejects.toThrow("none_sad");
  await expect(attempt(AbortSignal.abort(new Error("enough")))).rejects.toThrow();
  expect(await on(target.url, "select count(*)::int as count from books")).toEqual(left);
});

test("a session that only reads can't write, and one that was left in a copy ends immediately", async () => {
  const reader = await openCopySession(source.url);
  await beginSnapshot(reader);
  await expect(reader.script("insert into bare default values")).rejects.toThrow("read-only transaction");
  await reader.close();
  const broken = await openCopySession(target.url);
  const lines = Readable.from(["not binary"]);
  await expect(pipeline(lines, broken.into("copy windows from stdin (format binary)"))).rejects.toThrow("COPY file signature");
  await broken.close();
});
