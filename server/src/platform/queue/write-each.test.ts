import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import type { Tx } from "../sql.ts";
import { beginPass, countPutOff } from "./put-off.ts";
import { writeEach } from "./write-each.ts";

const app = await testApp();
const { ctx } = app;
const rows = Array.from({ length: 8 }, (_none, n) => `job_${n}`);

function writeAll(task: string, write: (tx: Tx, some: string[]) => Promise<string[]>): Promise<string[][]> {
  return ctx.transact((tx) => writeEach(tx, beginPass(ctx, { task, kind: "job" }), { rows, nameOf: (name) => name, write }));
}

test("a row that can't be written keeps none of the others from it", async () => {
  const write = async (_tx: Tx, some: string[]) => {
    if (some.includes("job_1")) throw new Error("no");
    return some;
  };
  expect((await writeAll("one_fails", write)).flat()).toEqual(rows.filter((name) => name !== "job_1"));
  expect(countPutOff(ctx.db, "one_fails")).toBe(1);
});

test("if no row can be written, the sweep fails after five of them", async () => {
  let tries = 0;
  const write = async (): Promise<string[]> => {
    tries += 1;
    throw new Error("no");
  };
  await expect(writeAll("all_fail", write)).rejects.toThrow("no");
  // All at once, then the first five.
  expect([tries, countPutOff(ctx.db, "all_fail")]).toEqual([6, 5]);
});

test.each(["40P01", "40001"])("after %s, the whole transaction is run again, and no row is put off", async (code) => {
  let transactions = 0;
  const write = async (_tx: Tx, some: string[]) => {
    if (some.length === rows.length) {
      transactions += 1;
      throw new Error("one of them can't be written");
    }
    if (some.includes("job_1")) throw Object.assign(new Error("deadlock"), { code });
    return some;
  };
  await expect(writeAll(`fails_with_${code}`, write)).rejects.toThrow("deadlock");
  expect([transactions, countPutOff(ctx.db, `fails_with_${code}`)]).toEqual([4, 0]);
});
