import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const load = (bytes: number, project_id = "prj_a") => ({ project_id, bytes });

test("admits what fits immediately, and the rest in the order in which it arrived", async () => {
  const budget = createByteBudget({ usual: 10, reserved: 0, waitMs: 5_000 });
  const order: string[] = [];
  expect(await budget.take(load(6))).toBe(true);
  const large = budget.take(load(10)).then(() => order.push("large"));
  const small = budget.take(load(1, "prj_b")).then(() => order.push("small"));
  expect(order).toEqual([]);
  budget.give(load(6));
  await large;
  expect(order).toEqual(["large"]);
  budget.give(load(10));
  await small;
  expect(order).toEqual(["large", "small"]);
});

test("refuses a request that waited too long, and lets the next one pass", async () => {
  const budget = createByteBudget({ usual: 10, reserved: 0, waitMs: 30 });
  expect(await budget.take(load(8))).toBe(true);
  const [large, small] = await Promise.all([budget.take(load(9)), budget.take(load(2))]);
  expect([large, small]).toEqual([false, true]);
});

test("with a reserve, a project that holds everything only keeps its own loads waiting, and all never hold more than there is", async () => {
  const budget = createByteBudget({ usual: 10, reserved: 5, waitMs: 5_000 });
  const taken: string[] = [];
  const take = async (project: string, bytes: number) => {
    if (await budget.take(load(bytes, project))) taken.push(`${project}${bytes}`);
  };
  await Promise.all([take("a", 6), take("a", 4)]);
  const [own, large] = [take("a", 1), take("c", 6)];
  await take("b", 4);
  await take("d", 1);
  expect(taken).toEqual(["a6", "a4", "b4", "d1"]);
  budget.give(load(6, "a"));
  await own;
  budget.give(load(4, "b"));
  await large;
  expect(taken).toEqual(["a6", "a4", "b4", "d1", "a1", "c6"]);
});
