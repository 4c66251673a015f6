import { beforeAll, expect, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { buildDashboard, listen, openDashboard } from "#test/dashboard.ts";
import { house } from "#test/house.ts";
import { expectDayClosed, statementDay, walkDay } from "#test/statement-day.ts";
import { visitor } from "#test/visitors.ts";

const home = await house({ http: { perMinuteUnauthenticated: 10_000 } });
const browser = await openBrowser();
let origin = "";

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
}, 300_000);

test("a small day's statements, clicked through: every order and transfer has its end, and the counts on screen are the files'", async () => {
  const day = await statementDay(home, { count: 24, prices: 6 });
  const person = await visitor(home, { merchant_id: day.tenant.merchant_id, role: "reviewer" });
  const { page, complaints } = await openDashboard(browser, { origin, look: { language: "en", theme: "light" }, email: person.email });
  const walk = await walkDay(page, { day, origin });
  await expectDayClosed(home, { day, walk });
  expect(walk.clicks).toBeLessThanOrEqual(60);
  expect(complaints).toEqual([]);
}, 180_000);
