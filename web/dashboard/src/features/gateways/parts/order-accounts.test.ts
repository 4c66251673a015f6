import { describe, expect, test } from "vitest";
import { joined, moved, placesOf, shareOf } from "./order-accounts.ts";

const account = (id: string, position: number, weight = 100) => ({ id, position, weight });
const three = [account("a", 1), account("b", 2), account("c", 7)];
const shared = [account("a", 1), account("b", 1, 300), account("c", 2)];
const after = (accounts: ReturnType<typeof account>[], moves: { id: string; position: number }[]) =>
  placesOf(accounts.map((one) => ({ ...one, ...moves.find(({ id }) => id === one.id) }))).map((inside) =>
    inside.map(({ id }) => id).join("+"),
  );

describe("an account that is moved", () => {
  test.each<[string, typeof three, string, -1 | 1, string[]]>([
    ["up comes before the one above it", three, "c", -1, ["a", "c", "b"]],
    ["down comes after the one below it", three, "a", 1, ["b", "a", "c"]],
    ["up out of a place that it shares comes right before it", shared, "b", -1, ["b", "a", "c"]],
    ["down out of a place that it shares comes right after it", shared, "a", 1, ["b", "a", "c"]],
    ["past a place that others share leaves them together", shared, "c", -1, ["c", "a+b"]],
  ])("%s", (_what, accounts, id, step, places) => {
    expect(after(accounts, moved(accounts, id, step))).toEqual(places);
  });

  test("beyond the ends changes nothing", () => {
    expect(moved(three, "a", -1)).toEqual([]);
    expect(moved(three, "c", 1)).toEqual([]);
    expect(moved(three, "none", 1)).toEqual([]);
  });

  test("changes only what has another number afterwards", () => {
    expect(moved([account("a", 1), account("b", 2), account("c", 3)], "c", -1)).toEqual([
      { id: "c", position: 2 },
      { id: "b", position: 3 },
    ]);
  });
});

test("an account joins another one's place, and the places remain in order", () => {
  expect(after(three, joined(three, "c", "a"))).toEqual(["a+c", "b"]);
  expect(after(shared, joined(shared, "a", "c"))).toEqual(["b", "a+c"]);
  expect(joined(three, "a", "a")).toEqual([]);
});

test("accounts in one place share its payments by weight, and a single one has no share", () => {
  expect([shareOf(shared, "a"), shareOf(shared, "b"), shareOf(shared, "c")]).toEqual([25, 75, null]);
  expect(shareOf([account("a", 1, 0), account("b", 1, 0)], "a")).toBe(50);
});
