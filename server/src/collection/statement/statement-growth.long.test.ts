import { describe, expect, test } from "vitest";
import { wechatStatement } from "#test/support/statements/statements.ts";
import { workbook } from "#test/support/statements/workbooks.ts";
import { parseStatement } from "./parse-statement.ts";

describe("takes time that grows linearly with the file, for", () => {
  const shapes: Record<string, (n: number) => Buffer> = {
    "open quotes": (n) => Buffer.from(`${'"'.repeat(n)}\n${'",'.repeat(n)}`),
    "one line of commas": (n) => Buffer.from(`交易时间,交易类型,收/支,金额(元),交易单号\n${",".repeat(n)}`),
    "quotes over many lines": (n) => Buffer.from(`交易时间,交易类型,收/支,金额(元),交易单号\n${'"a\n'.repeat(Math.min(n, 4900))}`),
    "blanks and backticks in cells": (n) => Buffer.from(`交易时间,交易类型,收/支,金额(元),交易单号\n${"` ".repeat(n)}x,${" ".repeat(n)}`),
    "a workbook of long texts": (n) =>
      workbook([["交易时间"], ...Array.from({ length: Math.floor(n / 1000) }, (_, row) => [`${row} ${"x,".repeat(400)}`])]),
    "marks on one letter": (n) => Buffer.from(`e${"\u0301\u0316".repeat(n / 2)},b`),
    "numbers without end": (n) => wechatStatement([{ number: "9".repeat(n), amount: `${"1,".repeat(n)}1`, time: "1".repeat(n) }]),
  };
  for (const [what, make] of Object.entries(shapes)) {
    test(what, async () => {
      const run = async (n: number) => {
        const startUsage = process.cpuUsage();
        await parseStatement(make(n)).catch(() => null);
        const { user, system } = process.cpuUsage(startUsage);
        return user + system;
      };
      await run(1_000);
      const small = Math.min(await run(100_000), await run(100_000));
      const large = Math.min(await run(800_000), await run(800_000));
      // Eight times the input: linear is 8, the square is 64. Half a second is what noise may add.
      expect(large).toBeLessThan(small * 24 + 500_000);
    });
  }
});
