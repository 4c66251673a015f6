import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { listen } from "#test/support/dashboard/dashboard.ts";
import { testPassword, visitor } from "#test/support/people/visitors.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
const browser = await openBrowser();
const origin = await listen(app);

const wide = { viewport: { width: 1440, height: 900 } };

/** Presses "Send" and answers what the server said, with what it was asked. */
async function send(page: Page) {
  const answered = page.waitForResponse((response) => response.request().method() === "POST" && response.url().includes("/orders"));
  await page.getByRole("button", { name: /^Send post request/i }).click();
  const response = await answered;
  return { status: response.status(), order: await response.json(), headers: response.request().headers() };
}

async function openCreateOrder(page: Page): Promise<void> {
  await page.goto(`${origin}/reference#tag/orders/POST/api/v1/projects/{projectId}/orders`);
  await page
    .getByRole("button", { name: /Test Request/i })
    .first()
    .click();
  await page.getByRole("button", { name: /^Send post request/i }).waitFor();
}

async function expectTwoOrders(page: Page, project_id: string): Promise<void> {
  const [first, second] = [await send(page), await send(page)];
  for (const { status, order } of [first, second]) {
    expect(status, JSON.stringify(order)).toBe(201);
    expect(order).toMatchObject({ object: "order", project_id, livemode: false, amount_minor: 9900 });
  }
  expect(second.order.id).not.toBe(first.order.id);
  expect(second.order.reference).not.toBe(first.order.reference);
}

test("a signed-in person sends the first request as is, and each press creates another order", { timeout: 120_000 }, async () => {
  const shop = await app.tenant();
  const { email } = await visitor(app, { merchant_id: shop.merchant_id });
  const page = await browser.page({ ...wide, colorScheme: "dark" });
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

test("the page shows the document, a pasted key is enough: its own project is found, and no other host is requested", {
  timeout: 120_000,
}, async () => {
  const shop = await app.tenant();
  const page = await browser.page(wide);
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
