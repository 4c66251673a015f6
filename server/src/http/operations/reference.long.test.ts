import { expect, test } from "vitest";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { referencePage } from "#test/support/browser/reference-page.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
const browser = await openBrowser();
const origin = await listen(app);
const { openCreateOrder, expectTwoOrders } = referencePage(origin);

test("the page shows the document, a pasted key is enough: its own project is found, and no other host is requested", {
  timeout: 120_000,
}, async () => {
  const shop = await app.tenant();
  const page = await browser.page({ viewport: { width: 1440, height: 900 } });
  const elsewhere: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  await openCreateOrder(page);
  await page.getByText("Create an order").first().waitFor();
  await screenshot(page, "reference-open");
  const field = page.getByRole("dialog").getByLabel(/token/i).first();
  await field.click();
  await page.keyboard.insertText(shop.key);
  await expectTwoOrders(page, shop.project_id);
  await screenshot(page, "reference-sent");
  await page.waitForLoadState("networkidle");
  expect(refused).toEqual([]);
  // The browser reports what it refuses in order: once ours has been reported, anything that the page had requested before is listed as
  // well.
  await page.evaluate(async () => fetch("https://elsewhere.example/").catch(() => null));
  await eventually("the browser refuses another host", () => refused.length > 0);
  expect(refused.filter((text) => !text.includes("https://elsewhere.example/"))).toEqual([]);
  expect(elsewhere.filter((url) => url !== "https://elsewhere.example/")).toEqual([]);
});

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
