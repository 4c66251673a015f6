import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { pipeStatement, runStatement } from "#test/support/database/statement.sql.ts";
import { hint, onHint, pipeline, type Tx, trySavepoint } from "../index.ts";

const { ctx } = await testApp();

async function receivedAfter(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let received = 0;
  const end = onHint(ctx.db, "work", () => (received += 1));
  await ctx.transact(work).catch((error: Error) => expect(error.message).toBe("undone"));
  end();
  return received;
}

const one = (pipe: Parameters<typeof pipeStatement>[0]) => pipeStatement(pipe, "select 1");
const inside = (tx: Tx, work: (inner: Tx) => Promise<unknown>) => trySavepoint(tx, work, () => false);

test.each([
  ["the transaction", async (tx: Tx) => hint(tx, "work"), 1],
  ["a pipeline", (tx: Tx) => pipeline(tx, (pipe) => [hint(pipe, "work") ?? one(pipe)]), 1],
  ["a savepoint", (tx: Tx) => inside(tx, async (inner) => hint(inner, "work")), 1],
  [
    "a pipeline in a savepoint in a savepoint",
    (tx: Tx) => inside(tx, (outer) => inside(outer, (inner) => pipeline(inner, (pipe) => [hint(pipe, "work") ?? one(pipe)]))),
    1,
  ],
  ["several of these, once", (tx: Tx) => Promise.all([hint(tx, "work"), inside(tx, async (inner) => hint(inner, "work"))]), 1],
  ["a transaction that was undone, never", (tx: Tx) => Promise.all([hint(tx, "work"), Promise.reject(new Error("undone"))]), 0],
  ["nothing, never", (tx: Tx) => runStatement(tx, "select 1"), 0],
])("listeners are notified after the commit of what was noted in %s", async (_where, work, times) => {
  expect(await receivedAfter(work)).toBe(times);
});
