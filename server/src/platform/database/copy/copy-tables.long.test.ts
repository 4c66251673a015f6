import { afterAll, expect, test } from "vitest";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { beginSnapshot, copyTables, digestTables } from "./copy-tables.ts";
import { openCopySession } from "./session.ts";
import { listCopyTables } from "./sql.ts";

const source = await emptyDatabase();
const target = await emptyDatabase();
afterAll(() => Promise.all([source.drop(), target.drop()]));

const schema = "create table rows (id bigint primary key, n int not null, short text, long text, bytes bytea); create index on rows (n)";
/** Rows of all sizes, on pages that deletes and updates have left holes in, long ones inside and outside of the table's own pages. */
const fill = `
  alter table rows alter long set storage external;
  insert into rows select n, n % 97, repeat(md5(n::text), n % 60), null, null from generate_series(1, 200000) n;
  delete from rows where id % 7 = 0;
  update rows set short = repeat(md5(id::text), (id * 13 % 230)::int) where id % 5 = 0;
  insert into rows select n, n % 89, '', repeat(md5(n::text), n % 400), decode(repeat(md5(n::text), n % 30), 'hex') from generate_series(200001, 240000) n;
  delete from rows where id % 11 = 3;
  insert into rows select n, n % 83, repeat(md5(n::text), n % 150), repeat('x', n % 20000), null from generate_series(240001, 260000) n`;

test("the copy of a large table with holes has its rows in the same order, whatever their size, and so the same digest", async () => {
  const run = (url: string, text: string) => onServer(url, async (admin) => (await admin.query<{ size: string }>(text)).rows);
  await run(source.url, schema);
  for (const statement of fill.split(";")) await run(source.url, statement);
  await run(target.url, schema);
  const [from, to] = [await openCopySession(source.url), await openCopySession(target.url)];
  const tables = await listCopyTables(from.db);
  const startedAt = performance.now();
  await beginSnapshot(from);
  const copied = await copyTables(from, to, { tables });
  const between = performance.now();
  await beginSnapshot(to);
  expect(await digestTables(to, { tables })).toEqual(copied);
  const ended = performance.now();
  await Promise.all([from.close(), to.close()]);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const megabytes = Math.round(tables.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6);
  console.info(
    `${copied[0]?.rows} rows, ${megabytes} MB: copied in ${seconds(between - startedAt)}, read again in ${seconds(ended - between)}`,
  );
});
