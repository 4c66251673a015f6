import { expect, test } from "vitest";
import { parseBill } from "./parse-bill.ts";

const day = { day: "2026-11-20", appid: "wx1" };
const names = "交易时间,公众账号ID,商户订单号,微信订单号,交易状态,订单金额";
const row = "`2026-11-20 12:00:00,`wx1,`order-1,`4200001,`SUCCESS,`1.00";
const totals = "总交易单数,总交易额";

test("of two columns with one name the first counts", async () => {
  const bill = Buffer.from(`${names},订单金额\n${row},\`9.00\n${totals}\n`);
  expect(await parseBill(bill, day)).toMatchObject([{ reference: "order-1", providerId: "4200001", amount: { amount_minor: 100 } }]);
});

test.each([
  ["without its totals", `${names}\n${row}\n`],
  ["without its columns", `${row}\n${totals}\n`],
  ["of nothing", ""],
])("a text %s isn't a whole bill", async (_what, text) => {
  expect(await parseBill(Buffer.from(text), day)).toBeNull();
});

test("a bill of many columns and many rows is read", async () => {
  const [columns, rows] = [200_000, 20_000];
  const bill = Buffer.from(`${names}${",-".repeat(columns)}\n${`${row}\n`.repeat(rows)}${totals}\n`);
  // To search the names of all columns for each row took far longer.
  expect(await parseBill(bill, day)).toHaveLength(rows);
});
