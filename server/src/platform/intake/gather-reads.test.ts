import { expect, test } from "vitest";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type Db, openDatabase, type Tenant } from "../index.ts";
import { gatherLists, gatherReads } from "./gather-reads.ts";

const { url } = await testApp();

interface Lookup extends Tenant {
  value: number;
}

const of = (project_id: string, values: readonly number[]): Lookup[] => values.map((value) => ({ project_id, livemode: false, value }));
const upTo = (count: number) => Array.from({ length: count }, (_none, index) => index);

async function halves(db: Db, lookups: readonly Lookup[]): Promise<number[]> {
  const rows = await runStatement<{ half: number }>(
    db,
    "select 100 / v as half from unnest(?::int[]) with ordinality as t(v, at) order by at",
    lookups.map(({ value }) => value),
  );
  return rows.map(({ half }) => half);
}

test("concurrent reads share statements of at most 64, and each has its own result", async () => {
  const database = openDatabase({ url, max: 2, ...patience });
  const sizes: number[] = [];
  const read = gatherReads<Lookup, number>(async (db, lookups) => {
    sizes.push(lookups.length);
    return await halves(db, lookups);
  });
  const lookups = [...of("a", upTo(50)), ...of("b", upTo(50))].map((one) => ({ ...one, value: one.value + 1 }));
  expect(await Promise.all(lookups.map((one) => read(database.db, one)))).toEqual(lookups.map(({ value }) => Math.floor(100 / value)));
  expect(sizes.toSorted((left, right) => left - right)).toEqual([36, 64]);
  await database.close();
});

test("a read that can't be answered fails individually", async () => {
  const database = openDatabase({ url, max: 2, ...patience });
  const read = gatherReads<Lookup, number>(halves);
  const [wrong, ...right] = of("a", [0, 1, 2, 4]).map((one) => read(database.db, one));
  await expect(wrong).rejects.toMatchObject({ code: "22012" });
  expect(await Promise.all(right)).toEqual([100, 50, 25]);
  await database.close();
});

test("while the database is unavailable all reads fail with one try", async () => {
  const database = openDatabase({ url, max: 2, ...patience });
  let tries = 0;
  const read = gatherReads<Lookup, number>(async (db, lookups) => {
    tries += 1;
    return await halves(db, lookups);
  });
  await database.close(0);
  const outcomes = await Promise.allSettled(of("a", upTo(20)).map((one) => read(database.db, one)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(tries).toBe(1);
});

test("concurrent reads of lists name each tenant once, and each gets the rows of its own project and environment", async () => {
  const database = openDatabase({ url, max: 2, ...patience });
  const named: string[][] = [];
  const read = gatherLists(async (_db, tenants) => {
    named.push(tenants.map(({ project_id, livemode }) => `${project_id} ${livemode}`));
    return tenants.filter(({ project_id }) => project_id !== "c").flatMap((tenant) => [1, 2].map((value) => ({ ...tenant, value })));
  });
  const tenant = (project_id: string, livemode: boolean) => ({ project_id, livemode });
  const lookups = [tenant("a", true), tenant("a", false), tenant("a", true), tenant("b", true), tenant("c", true)];
  const lists = await Promise.all(lookups.map((one) => read(database.db, one)));
  expect(lists).toEqual(lookups.map((one) => (one.project_id === "c" ? [] : [1, 2].map((value) => ({ ...one, value })))));
  expect(named.map((tenants) => tenants.toSorted())).toEqual([["a false", "a true", "b true", "c true"]]);
  await database.close();
});
