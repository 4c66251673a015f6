import { expect, test } from "vitest";
import { readMasterKeys } from "#platform/index.ts";
import { readReturnPath, returnPathOf } from "./return-path.ts";

const keys = readMasterKeys(`1:${"a5".repeat(32)}`);
const id = "emr_01m7wje4wze7as3wcxk3xbrgav";
const path = returnPathOf(keys, "bounce.acme.example", id);

test("a return address identifies its recipient and fits into email's limits", () => {
  expect(path).toMatch(/^b\+emr_[0-9a-z]{26}\.[0-9a-f]{20}@bounce\.acme\.example$/);
  expect(path.indexOf("@")).toBeLessThanOrEqual(64);
  expect(readReturnPath(keys, path)).toBe(id);
});

test("it is read at whatever domain it returns to", () => {
  expect(readReturnPath(keys, path.replace("bounce.acme", "returns.shop"))).toBe(id);
});

test("it is read in whatever case it returns", () => {
  expect(readReturnPath(keys, path.toUpperCase())).toBe(id);
});

test("it is read after the master key has changed", () => {
  const newer = readMasterKeys(`1:${"a5".repeat(32)},2:${"b6".repeat(32)}`);
  expect(readReturnPath(newer, path)).toBe(id);
  expect(returnPathOf(newer, "bounce.acme.example", id)).not.toBe(path);
});

test.each([
  ["another recipient", path.replace("rgav", "rgaw")],
  ["another mac", path.replace(/\.(.)/, (_all, digit: string) => `.${digit === "0" ? "1" : "0"}`)],
  ["a shortened mac", path.replace(/.@/, "@")],
  ["no domain", path.slice(0, path.indexOf("@"))],
  ["something before it", `x${path}`],
  ["another key's", returnPathOf(readMasterKeys(`1:${"c7".repeat(32)}`), "bounce.acme.example", id)],
  ["nothing", ""],
  ["an ordinary address", "postmaster@bounce.acme.example"],
])("%s is refused", (_what, address) => {
  expect(readReturnPath(keys, address)).toBeNull();
});
