import { expect, it } from "vitest";
import { freshCopy } from "#test/support/programs/fresh-copy.ts";

it("explains that a clone without its history lacks the commit, and how to get it", () => {
  expect(() => freshCopy({ commit: "0".repeat(40) })).toThrow(/The sources of 0{40} are needed.*git fetch --unshallow/s);
});
