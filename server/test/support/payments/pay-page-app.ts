import type { BrowserContextOptions, Page } from "playwright-core";
import { listVouchers, type OrderRow, type VoucherRow } from "#orders/index.ts";
import type { HttpSettings } from "#requests/index.ts";
import { listen } from "#test/support/app/listen.ts";
import { type TestApp, testApp } from "#test/support/app/test-app.ts";
import { openBrowser, prepareToIntercept, type TestBrowser } from "#test/support/browser/browser.ts";
import { phoneAgent } from "./pay-fixtures.ts";
import { type PayShop, payShop } from "./pay-shop.ts";

/** What a small phone's browser leaves of its screen. */
export const buyersPhone = {
  viewport: { width: 390, height: 664 },
  isMobile: true,
  hasTouch: true,
  userAgent: phoneAgent,
  locale: "en-GB",
  timezoneId: "Asia/Shanghai",
} satisfies BrowserContextOptions;

export interface PayPageApp {
  at: TestApp;
  browser: TestBrowser;
  origin: string;
  shop: PayShop;
  /** A new order whose buyer was shown its WeChat Pay code. */
  paying(options?: BrowserContextOptions): Promise<{ page: Page; order: OrderRow; token: string }>;
  vouchersOf(order: OrderRow): Promise<VoucherRow[]>;
}

/**
 * What a browser test of the payment page starts with: an app that serves it, without limits that a test would reach by accident, and a
 * shop. Call it at the top of the file.
 */
export async function payPageApp(http: Partial<HttpSettings> = {}): Promise<PayPageApp> {
  const at = await testApp({ http: { perMinuteLinkReads: 10_000, perMinuteLinkInitiate: 1_000, perHourLinkProofs: 1_000, ...http } });
  const [browser, origin, shop] = [await openBrowser(), await listen(at), await payShop(at)];
  return {
    ...{ at, browser, origin, shop },
    async paying(options = {}) {
      const page = await browser.page({ ...buyersPhone, ...options });
      await prepareToIntercept(page);
      const { order, token } = await shop.order();
      await page.goto(`${origin}/pay/${token}`);
      await page.getByRole("button", { name: /^(WeChat Pay|微信支付)$/ }).click();
      await page.getByRole("button", { name: /^(I have paid|我已付款)$/ }).waitFor();
      return { page, order, token };
    },
    vouchersOf: async (order) => (await listVouchers(at.ctx, shop.tenant, { order_id: order.id, limit: 10 })).rows,
  };
}
