import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { externalKey } from "./external-key.ts";

const app = await testApp();

test.each([
  ["42000DUP1", "42000dup1"],
  [" 42000DUP1", "42000dup1"],
  ["42000DUP1\t", "42000dup1"],
  ["42000dup1", "42000dup1"],
  ["4200 0DUP1", "42000dup1"],
  ["42000\u200bDUP1\ufeff", "42000dup1"],
  ["42000\u2060D\u00adU\u034fP1\ufe0f", "42000dup1"],
  ["４２０００ＤＵＰ１", "42000dup1"],
  ["\u3000４２\u00a0000\r\nDUP1\u{e0041}", "42000dup1"],
  ["42000DÜP1", "42000dÜp1"],
  ["manual:vch_01", "manual:vch_01"],
  [" \t\u200b", null],
  ["", null],
])("%j is compared as %j, here and in the database", async (typed, key) => {
  expect(externalKey(typed)).toBe(key);
  expect(await runStatement(app.ctx.db, "select external_key_of(?) as key", typed)).toEqual([{ key }]);
});
