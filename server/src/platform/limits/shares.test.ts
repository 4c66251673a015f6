import { expect, it } from "vitest";
import { createShares } from "./shares.ts";

it("lets one project alone have every slot, and leaves the next ones some however many are held", () => {
  const shares = createShares({ usual: 200, kept: 200 });
  const fill = (project: string) => {
    let count = 0;
    for (; shares.leftOf(project) > 0; count += 1) shares.change(project, 1);
    return count;
  };
  expect(["a", "b", "c", "d", "e", "f"].map(fill)).toEqual([200, 100, 50, 25, 12, 6]);
  expect(shares.full()).toEqual(["a", "b", "c", "d", "e", "f"]);
  shares.change("a", -150);
  expect(fill("b")).toBeGreaterThan(0);
});
