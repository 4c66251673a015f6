import "./pseudo-words.ts";
import { beforeAll, expect, test } from "vitest";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openBrowser } from "#test/support/browser/browser.ts";
import { dialogs, screens } from "#test/support/dashboard/dashboard-screens.ts";
import { nameOf, sweepIn } from "#test/support/dashboard/dashboard-sweep.ts";
import { type DashboardData, dashboardWorld } from "#test/support/dashboard/dashboard-world.ts";
import { buildPseudoDashboard } from "./build-dashboard.ts";
import { layoutFaults, plainTexts } from "./plain-texts.ts";
import { pseudo } from "./pseudo-language.ts";

const dashboard = await buildPseudoDashboard();
const app = await testApp({ http: { perMinuteUnauthenticated: 100_000, perMinuteTest: 100_000, signUp: "open" }, dashboard });
const browser = await openBrowser();
let origin = "";
let world: DashboardData;

beforeAll(async () => {
  origin = await listen(app);
  world = await dashboardWorld(app);
}, 300_000);

/** The names of the world's people and shops, and what they wrote. */
const known = [
  ...[
    "Corner Books and Stationery of the Old Harbour Street",
    "Corner Books",
    "Shop",
    "Person 1",
    "Person 2",
    "Person 3",
    "Two notebooks, one fountain pen",
  ],
  ...[
    "Your order INV-2026-11-0001 is on its way to you, and here is all you need to know",
    "Hello",
    "On its way",
    "Thank you for your order.",
  ],
  ...[
    "INV-2026-11-paid",
    "INV-2026-11-overpaid",
    "INV-2026-11-underpaid",
    "INV-2026-11-failed",
    "INV-2026-11-expire",
    "INV-open",
    "INV-to-review",
  ],
  ...[
    "Is the shop open on Sunday?",
    "Could you bring it on Friday instead?",
    "We close at six today.",
    "We open at nine.",
    "STOP",
    "CORNER",
  ],
  ...[
    "This is Corner Books and Stationery. Your order is ready to be collected.",
    "Thank you. Goodbye.",
    "Enter the four digits of your order",
  ],
  ...[
    "Your order INV-2026-11-0001 with two notebooks and one fountain pen",
    "has left our shop in the Old Harbour Street. It",
    "s with the courier",
  ],
  ...[
    "now and reaches you tomorrow between 9:00 and 12:00. Write to us i",
    "f you",
    "d rather have it another day, and we",
    "ll see to it.",
  ],
  ...["You have been unsubscribed and won't receive any more messages from this number. Reply START to resubscribe."],
  ...[
    "Your Shop verification code",
    "Your Shop sign-in code",
    "This number belongs to someone else (simulated).",
    "Second account",
    "Corner Books and Stationery, main account",
  ],
  ...["simulated:", "lightMyRequest", "Chrome", "Linux", "test"],
];

test.each([
  { device: "wide", onPhone: false, theme: "light" as const },
  { device: "phone", onPhone: true, theme: "dark" as const },
])("every screen and dialog, $device, in a language that is 40 % longer and written from the right", async ({ onPhone, theme }) => {
  app.clock.advance(15 * 60_000 + 1);
  const { open, goto, check, faults } = sweepIn({ browser, origin, world, look: { language: pseudo, theme }, onPhone });
  const [inside, outside] = [await open(world.owner.email), await open()];
  const stops = [
    ...screens.map((screen) => ({
      path: screen.path(world),
      name: nameOf(screen.route),
      page: screen.isPublic === true ? outside.page : inside.page,
    })),
    ...dialogs.map((path) => ({ path, name: nameOf(path), page: inside.page })),
  ];
  for (const { path, name, page } of stops) {
    await goto(page, path);
    if (path.includes("=1")) await page.locator("[role=dialog]").first().waitFor();
    await check(page, name);
    const plain = await plainTexts(page, known);
    faults.push(...[...(await layoutFaults(page)), ...plain.map((text) => `in no table: ${text}`)].map((fault) => `${name}: ${fault}`));
  }
  expect([...faults, ...inside.complaints]).toEqual([]);
});
