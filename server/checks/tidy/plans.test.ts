import { expect, test } from "vitest";
import { longStatementsNameTheirPlan } from "./plans.ts";

const columns = (count: number) => Array.from({ length: count }, (_, n) => `      column_${n},`).join("\n");
const statement = (comment: string, lines: number) =>
  `${comment}\nexport async function listOrders(db: Db) {\n  return sql(db)\`\n    select\n${columns(lines - 2)}\n      id from orders\`;\n}\n`;
const faults = (text: string) =>
  longStatementsNameTheirPlan("create index orders_due on orders (due_at)")([{ path: "server/src/orders/sql.ts", text }]).map(
    ({ message }) => message,
  );

test.each([
  ["a short statement without a comment", statement("", 20)],
  ["a long one with its plan", statement("/** Orders.\n * Plan: `orders_due`, since few are due. */", 21)],
])("takes %s", (_what, text) => {
  expect(faults(text)).toEqual([]);
});

test.each([
  ["without a comment", statement("", 21), "no plan"],
  ["whose comment says nothing of its plan", statement("/** Orders. */", 21), "no plan"],
  ["whose plan is another function's", `/** Plan: reads all. */\nconst a = 1;\n${statement("", 21)}`, "no plan"],
  ["whose plan names what is not there", statement("/** Plan: `orders_old`. */", 21), "orders_old"],
])("refuses a long statement %s", (_what, text, expected) => {
  expect(faults(text)).toEqual([expect.stringContaining(expected)]);
});
