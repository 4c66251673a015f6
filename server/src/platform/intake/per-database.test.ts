import { expect, test } from "vitest";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { openDatabase } from "../index.ts";
import { createCollector } from "./collector.ts";
import { perDatabase } from "./per-database.ts";

const { url } = await testApp();

test("a database closes once everything gathered for it has its result", async () => {
  const database = openDatabase({ url, max: 2, ...patience });
  const collectorOf = perDatabase(() =>
    createCollector<number, number>({
      max: 4,
      concurrency: 1,
      supply: { usual: 100, reserved: 100 },
      waitMs: 60_000,
      tenantOf: () => "a",
      namesOf: () => [],
      run: (items) =>
        database.transact(async (tx) => {
          await runStatement(tx, "select pg_sleep(0.02)");
          return items;
        }),
    }),
  );
  expect(collectorOf(database.db)).toBe(collectorOf(database.db));
  const answers = Promise.all(Array.from({ length: 20 }, (_, value) => collectorOf(database.db).add(value)));
  await database.close();
  expect(await answers).toHaveLength(20);
});
