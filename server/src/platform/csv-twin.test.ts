import { expect, test } from "vitest";
import * as page from "../../../web/dashboard/src/parts/files/csv.ts";
import { csvHead, csvText } from "./csv-text.ts";
import { localTimes, zoneOfCurrency } from "./instants.ts";

const texts = [
  "Tea",
  "=1+1",
  " ＝1",
  "\t=1",
  "a;=1",
  "a\n-1",
  'say "x"',
  "a,b",
  "42000012345678901234",
  "0070",
  "12E5",
  "",
  "1".repeat(11),
  "−2",
  "a|@b",
];

test("the dashboard's files have the same cells and times as the server's", () => {
  for (const text of texts) expect(page.csvText(text)).toBe(csvText(text));
  expect(page.csvHead(["a", "b"])).toBe(csvHead(["a", "b"]));
  const at = new Date("2026-01-31T16:00:00Z");
  for (const currency of ["CNY", "JPY"]) {
    const zone = zoneOfCurrency(currency);
    expect(page.zoneOfCurrency(currency)).toBe(zone);
    expect(page.localTimes(zone)(at.toISOString())).toBe(localTimes(zone)(at));
  }
  expect(localTimes("Asia/Shanghai")(at)).toBe("2026-02-01 00:00:00");
});
