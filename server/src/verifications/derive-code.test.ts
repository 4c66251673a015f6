import fc from "fast-check";
import { expect, test } from "vitest";
import { readMasterKeys } from "#platform/index.ts";
import { codeMac, codeOf, isRightCode, keyNumberOf } from "./derive-code.ts";

const keys = readMasterKeys(`1:${"a5".repeat(32)},2:${"b6".repeat(32)}`);
const coded = { project_id: "prj_1", livemode: true, id: "ver_1", code_length: 6, key_number: 2 };

test.each([4, 5, 6, 7, 8, 9, 10])("a code of %i digits has as many", (code_length) => {
  fc.assert(
    fc.property(fc.string(), (id) => void expect(codeOf(keys, { ...coded, id, code_length })).toMatch(new RegExp(`^\\d{${code_length}}$`))),
  );
});

test("the code depends only on the verification, so that all of its messages have the same one", () => {
  expect(codeOf(keys, coded)).toBe(codeOf(keys, { ...coded }));
});

test("another verification, project, environment or key has another code", () => {
  const codes = [
    coded,
    { ...coded, id: "ver_2" },
    { ...coded, project_id: "prj_2" },
    { ...coded, key_number: 1 },
    { ...coded, project_id: "prj_1 true ver", id: "1" },
  ].map((one) => codeOf(keys, { ...one, code_length: 10 }));
  expect(new Set(codes).size).toBe(codes.length);
});

test("codes are evenly distributed: each digit occurs in each place about as often as another", () => {
  const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0));
  for (let n = 0; n < 20_000; n += 1)
    [...codeOf(keys, { ...coded, id: `ver_${n}` })].forEach(
      (digit, place) => void ((counts[place] as number[])[Number(digit)] = ((counts[place] as number[])[Number(digit)] ?? 0) + 1),
    );
  // 2 000 are expected of each, with a standard deviation of 42.
  for (const count of counts.flat()) expect(Math.abs(count - 2_000)).toBeLessThan(250);
});

test("in TEST the code is 424242, with as many of its digits as requested", () => {
  expect([4, 6, 10].map((code_length) => codeOf(keys, { ...coded, livemode: false, code_length }))).toEqual([
    "4242",
    "424242",
    "4242424242",
  ]);
});

test("only the right code is right, and only for its own verification", () => {
  const code = codeOf(keys, coded);
  const mac = codeMac(keys, coded, code);
  const other = code === "000000" ? "000001" : "000000";
  expect(isRightCode(keys, coded, { code, mac })).toBe(true);
  for (const wrong of [other, "", `${code}0`, code.slice(1), ` ${code}`])
    expect(isRightCode(keys, coded, { code: wrong, mac }), wrong).toBe(false);
  expect(isRightCode(keys, { ...coded, id: "ver_2" }, { code, mac })).toBe(false);
});

test("nothing from a leaked master key is accepted, and the next code comes from another one", () => {
  const leaked = { ...keys, revoked: new Set([2]), signing: 1 };
  const code = codeOf(keys, coded);
  expect(isRightCode(leaked, coded, { code, mac: codeMac(keys, coded, code) })).toBe(false);
  expect(keyNumberOf(leaked, coded)).toBe(1);
  expect(keyNumberOf(keys, { key_number: 1 })).toBe(1);
});
