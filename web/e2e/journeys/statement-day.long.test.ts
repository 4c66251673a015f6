import { expect, test } from "vitest";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";
import { expectDayClosed, statementDay, walkDay } from "../../../server/test/support/statements/statement-day.ts";

const { app, browser, origin } = await dashboardApp();

test("a day of 200 orders of 20 prices, clicked through: every order and transfer has its outcome, and the counts on screen are the files'", async () => {
  const day = await statementDay(app, { count: 200, prices: 20 });
  const person = await visitor(app, { merchant_id: day.tenant.merchant_id, role: "reviewer" });
  const { page, complaints } = await openDashboard(browser, { origin, look: { language: "en", theme: "light" }, email: person.email });
  const walk = await walkDay(page, { day, origin });
  await expectDayClosed(app, { day, walk });
  console.info(`${walk.clicks} clicks`);
  expect(walk.clicks).toBeLessThanOrEqual(60);
  expect(complaints).toEqual([]);
}, 600_000);
