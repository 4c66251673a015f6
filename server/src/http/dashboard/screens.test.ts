import { beforeAll, expect, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { buildDashboard, givenLook, listen } from "#test/dashboard.ts";
import { listRoutes, screens } from "#test/dashboard-screens.ts";
import { sweepIn } from "#test/dashboard-sweep.ts";
import { dashboardWorld, type World } from "#test/dashboard-world.ts";
import { house } from "#test/house.ts";

const home = await house({ http: { perMinuteUnauthenticated: 100_000, signUp: "open" } });
const browser = await openBrowser();
const { onPhone, ...look } = givenLook();
let origin = "";
let world: World;

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
  world = await dashboardWorld(home);
});

test("every route has a line in the sweep", () => {
  expect(screens.map(({ route }) => route).toSorted()).toEqual(listRoutes().toSorted());
});

test(`every screen in ${look.language} and ${look.theme}, on a phone: ${onPhone}, is accessible, fits its width and leaves the console quiet`, async () => {
  expect(await sweepIn({ browser, origin, world, look, onPhone }).filled()).toEqual([]);
});
