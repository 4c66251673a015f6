import { expect, it } from "vitest";
import { freshCopy } from "#test/support/programs/fresh-copy.ts";

it("says in words that a clone without its history lacks the commit, and what brings it", () => {
  expect(() => freshCopy({ commit: "0".repeat(40) })).toThrow(/The sources of 0{40} are needed.*git fetch --unshallow/s);
});
