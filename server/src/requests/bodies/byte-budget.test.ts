import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

test("admits what fits immediately, and the rest in the order in which it arrived", async () => {
  const budget = createByteBudget({ bytes: 10, waitMs: 5_000 });
  const order: string[] = [];
  expect(await budget.take(6)).toBe(true);
  const large = budget.take(10).then(() => order.push("large"));
  const small = budget.take(1).then(() => order.push("small"));
  expect(order).toEqual([]);
  budget.give(6);
  await large;
  expect(order).toEqual(["large"]);
  budget.give(10);
  await small;
  expect(order).toEqual(["large", "small"]);
});

test("refuses a request that waited too long, and lets the next one pass", async () => {
  const budget = createByteBudget({ bytes: 10, waitMs: 30 });
  expect(await budget.take(8)).toBe(true);
  const [large, small] = await Promise.all([budget.take(9), budget.take(2)]);
  expect([large, small]).toEqual([false, true]);
});
