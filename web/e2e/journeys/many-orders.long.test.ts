import { expect, test } from "vitest";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { walkManyOrders } from "../../../server/test/support/dashboard/orders-walk.ts";

const { app, browser, origin } = await dashboardApp({ http: { checkAnswers: false } });
const count = 100_000;
const rounds = 24;
const maxMs = 200;

test("among 100 000 orders every filter, search, page and range of the figures is painted within 200 ms of the press", async () => {
  const { took, complaints } = await walkManyOrders(app, browser, { origin, look: { language: "en", theme: "light" }, count, rounds });
  const results = Object.entries(took).map(([what, all]) => {
    const sorted = all.toSorted((left, right) => left - right);
    const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    return { what, presses: all.length, median: Math.round(median), worst: Math.round(worst) };
  });
  console.info(
    results.map(({ what, presses, median, worst }) => `${what}: ${presses} presses, median ${median} ms, worst ${worst} ms`).join("\n"),
  );
  expect(results.filter(({ worst }) => worst >= maxMs)).toEqual([]);
  expect(results.filter(({ presses }) => presses < 20).map(({ what }) => what)).toEqual([]);
  expect(complaints).toEqual([]);
});
