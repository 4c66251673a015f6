import { expect, test } from "vitest";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { walkManyOrders } from "../../../server/test/support/dashboard/orders-walk.ts";

const { app, browser, look, origin } = await dashboardApp();

test("many orders are filtered, searched and paged through; `many-orders.long` does the same among 100 000 and against the clock", async () => {
  const { took, complaints } = await walkManyOrders(app, browser, { origin, look, count: 300, rounds: 1 });
  expect(Object.fromEntries(Object.entries(took).map(([what, all]) => [what, all.length]))).toEqual({
    ...{ state: 1, "way of paying": 1, date: 1, search: 3, "next page": 1, "range of the figures": 2 },
  });
  expect(complaints).toEqual([]);
});
