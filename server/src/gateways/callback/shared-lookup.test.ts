import { expect, test } from "vitest";
import type { Db } from "#platform/index.ts";
import { sharedLookup } from "./shared-lookup.ts";

test("concurrent callers share a response, looked up after all have called; later callers get a new one", async () => {
  const db = {} as Db;
  let truth = "old";
  const look = (name: string) => sharedLookup(db, name, async () => `${name} is ${truth}`);
  const lookups = [look("one"), look("one"), look("other")];
  truth = "new";
  expect(await Promise.all(lookups)).toEqual(["one is new", "one is new", "other is new"]);
  expect(lookups[0]).toBe(lookups[1]);
  truth = "newer";
  expect(await look("one")).toBe("one is newer");
});

test("a failed lookup fails for those who shared it, and for no later caller", async () => {
  const db = {} as Db;
  let isAway = true;
  const look = () =>
    sharedLookup(db, "one", async () => {
      if (isAway) throw new Error("away");
      return "here";
    });
  const lookups = [look(), look()];
  for (const one of lookups) await expect(one).rejects.toThrow("away");
  isAway = false;
  expect(await look()).toBe("here");
});
