import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { OrderRow } from "#orders/index.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { openBrowser, prepareToIntercept, type TestBrowser } from "#test/support/browser/browser.ts";
import { phoneAgent } from "#test/support/payments/pay-fixtures.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";

/** A shop with both codes, its server, and buyers with phones. */
export interface PhoneBuyers {
  at: TestApp;
  browser: TestBrowser;
  origin: string;
  shop: PayShop;
  /** A buyer who sees a new order's code. */
  paying(options?: BrowserContextOptions): Promise<{ page: Page; order: OrderRow; token: string }>;
}

export const buyersPhone = {
  viewport: { width: 390, height: 664 },
  isMobile: true,
  hasTouch: true,
  userAgent: phoneAgent,
  locale: "en-GB",
  timezoneId: "Asia/Shanghai",
};

/** Call it at the top of the file. */
export async function phoneBuyers(): Promise<PhoneBuyers> {
  const at = await testApp({ http: { perMinuteLinkReads: 10_000, perMinuteLinkInitiate: 1_000, perHourLinkProofs: 1_000 } });
  const browser = await openBrowser();
  const app = await at.server();
  await app.listen({ host: "127.0.0.1", port: 0 });
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const shop = await payShop(at);
  const paying: PhoneBuyers["paying"] = async (options = {}) => {
    const page = await browser.page({ ...buyersPhone, ...options });
    await prepareToIntercept(page);
    const { order, token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: /^(WeChat Pay|微信支付)$/ }).click();
    await page.getByRole("button", { name: /^(I have paid|我已付款)$/ }).waitFor();
    return { page, order, token };
  };
  return { at, browser, origin, shop, paying };
}

/** What the page says to those who don't see it change. */
export const live = (page: Page) => page.locator("#say").textContent();
