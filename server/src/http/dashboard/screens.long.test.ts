import { beforeAll, expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { expectAccessible, openBrowser, screenshot } from "#test/browser.ts";
import { buildDashboard, type Look, listen, openDashboard } from "#test/dashboard.ts";
import { house } from "#test/house.ts";
import { payShop } from "#test/pay-shop.ts";
import { visitor } from "#test/visitors.ts";

const home = await house({ http: { perMinuteUnauthenticated: 10_000 } });
const browser = await openBrowser();
let origin = "";

const screens = [
  "",
  "orders",
  "review",
  "exceptions",
  "receipts",
  "transactions",
  "codes",
  "keys",
  "webhooks",
  "messages",
  "domains",
  "suppressions",
  "team",
  "audit",
  "settings",
  "security",
  "new-project",
  "operator/merchants",
  "operator/proofs",
  "operator/health",
  "operator/mails",
  "operator/audit",
];
const looks: Look[] = (["en", "zh"] as const).flatMap((language) => (["light", "dark"] as const).map((theme) => ({ language, theme })));

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
}, 300_000);

test.each(looks.flatMap((look) => [false, true].map((onPhone) => ({ ...look, onPhone }))))(
  "every screen in $language, $theme, on a phone: $onPhone, is accessible, fits its width and leaves the console quiet",
  async ({ onPhone, ...look }) => {
    const { tenant } = await payShop(home);
    const person = await visitor(home, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
    const ids: string[] = [];
    for (const outcome of ["paid", "pending_verify", "overpaid", "failed", "expire"] as const) {
      const { order } = await createOrder(home.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference: `INV-${outcome}` });
      await simulatePayment(home.ctx, tenant, { order_id: order.id, outcome });
      ids.push(order.id);
    }
    const { page, complaints } = await openDashboard(browser, { origin, look, onPhone, email: person.email });
    for (const screen of [...screens, `orders/${ids[0]}`]) {
      await page.goto(`${origin}/dashboard/${screen}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
      expect(await page.locator("main.lone").count(), screen).toBe(0);
      await expectAccessible(page);
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), screen).toBe(0);
      await screenshot(
        page,
        `dashboard-${screen.replace(/\/ord_.*/, "-one").replaceAll("/", "-") || "overview"}-${look.language}-${look.theme}-${onPhone ? "phone" : "wide"}`,
      );
    }
    expect(complaints).toEqual([]);
  },
);
