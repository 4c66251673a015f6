import { expect, test } from "vitest";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { referencePage } from "#test/support/browser/reference-page.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";

const app = await testApp();
const browser = await openBrowser();
const origin = await listen(app);
const { openCreateOrder, expectTwoOrders } = referencePage(origin);

test("a signed-in person sends the first request as is, and each press creates another order", { timeout: 120_000 }, async () => {
  const shop = await app.tenant();
  const { email } = await visitor(app, { merchant_id: shop.merchant_id });
  const page = await browser.page({ viewport: { width: 1440, height: 900 }, colorScheme: "dark" });
  const answer = await page
    .context()
    .request.post(`${origin}/api/auth/sign-in/email`, { data: { email, password: testPassword }, headers: { origin } });
  expect(answer.status(), await answer.text()).toBe(200);
  await openCreateOrder(page);
  await expectTwoOrders(page, shop.project_id);
  await screenshot(page, "reference-sent-dark");
  // On a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await openCreateOrder(page);
  await expectTwoOrders(page, shop.project_id);
});
