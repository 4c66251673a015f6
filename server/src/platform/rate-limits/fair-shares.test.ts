import { expect, it } from "vitest";
import { createFairShares } from "./fair-shares.ts";

it("lets a single project have every slot, and leaves the next ones some however many are held", () => {
  const fairShares = createFairShares({ usual: 200, reserved: 200 });
  const fill = (project: string) => {
    let count = 0;
    for (; fairShares.leftOf(project) > 0; count += 1) fairShares.change(project, 1);
    return count;
  };
  expect(["a", "b", "c", "d", "e", "f"].map(fill)).toEqual([200, 100, 50, 25, 12, 6]);
  expect(fairShares.full()).toEqual(["a", "b", "c", "d", "e", "f"]);
  fairShares.change("a", -150);
  expect(fill("b")).toBeGreaterThan(0);
});
