import { beforeAll, expect, test } from "vitest";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { listRoutes, samples, screens } from "../../../server/test/support/dashboard/dashboard-screens.ts";
import { walkScreens } from "../../../server/test/support/dashboard/dashboard-sweep.ts";
import { type DashboardData, dashboardWorld } from "../../../server/test/support/dashboard/dashboard-world.ts";

const {
  app,
  browser,
  look: { onPhone, ...look },
  origin,
} = await dashboardApp({ http: { perMinuteUnauthenticated: 100_000, signUp: "open" } });
let world: DashboardData;

beforeAll(async () => {
  world = await dashboardWorld(app);
});

test("every route has a line in the sweep", () => {
  expect(screens.map(({ route }) => route).toSorted()).toEqual(listRoutes().toSorted());
  expect([...samples].filter((sample) => !screens.some(({ route }) => route === sample))).toEqual([]);
});

test(`every screen in ${look.language} and ${look.theme}, on a phone: ${onPhone}, opens, fits and leaves the console quiet; the samples are accessible`, async () => {
  expect(await walkScreens({ browser, origin, world, look, onPhone })).toEqual([]);
});
