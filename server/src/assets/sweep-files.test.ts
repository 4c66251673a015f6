import { expect, test } from "vitest";
import { countPutOff } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { insertUnownedFile } from "./sql.ts";
import { sweepFiles } from "./sweep-files.ts";

const { ctx } = await testApp();

test("a file that the store doesn't remove keeps no other one from being removed", async () => {
  const keys = ["a/1", "a/2", "a/3"];
  for (const key of keys) {
    await ctx.files.put(key, Buffer.from("x"));
    await insertUnownedFile(ctx.db, key, 0);
  }
  const remove = async (key: string) => (key === "a/1" ? Promise.reject(new Error("not this one")) : ctx.files.remove(key));
  expect(await sweepFiles({ ...ctx, files: { ...ctx.files, remove } })).toBe(2);
  expect(await Promise.all(keys.map(async (key) => (await ctx.files.get(key)) !== null))).toEqual([true, false, false]);
  expect(countPutOff(ctx.db, "sweep_files")).toBe(1);
  expect(await sweepFiles(ctx)).toBe(1);
  expect(countPutOff(ctx.db, "sweep_files")).toBe(0);
});
