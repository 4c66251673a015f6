import type { Page } from "playwright-core";
import { expect } from "vitest";
import { simulatePayment } from "#orders/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import type { PayPageApp } from "#test/support/payments/pay-page-app.ts";

/** A buyer's language, and the one of two texts that is in it. */
export interface BuyersLanguage {
  locale: string;
  say(en: string, zh: string): string;
}

export const english: BuyersLanguage = { locale: "en-GB", say: (en) => en };
export const chinese: BuyersLanguage = { locale: "zh-CN", say: (_en, zh) => zh };

/** What the page says to those who don't see it change. */
export const live = (page: Page) => page.locator("#say").textContent();

type Check = (buyers: PayPageApp, language: BuyersLanguage) => Promise<void>;

/** What the payment page says by itself, without being reloaded. */
export const whatIsSaid: [what: string, check: Check][] = [
  [
    "a failed attempt says so",
    async ({ at, shop, paying }, { locale, say }) => {
      const { page, order } = await paying({ locale });
      await simulatePayment(at.ctx, shop.tenant, { order_id: order.id, outcome: "failed" });
      const failed = say("Your last payment attempt failed", "上一次付款没有成功");
      await page.getByText(failed).first().waitFor();
      await expect.poll(() => live(page)).toContain(failed);
    },
  ],
  [
    "the live region says what the page says now",
    async ({ at, shop, paying }, { locale, say }) => {
      const { page, order } = await paying({ locale, permissions: ["clipboard-read", "clipboard-write"] });
      await page.getByRole("button", { name: say("I have paid", "我已付款") }).click();
      await expect.poll(() => live(page)).toBe(say("Checking your payment", "正在确认您的付款"));
      await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "reject", reason_code: "not_received" });
      await expect.poll(() => live(page)).toContain(say("confirm your payment", "未能确认您的付款"));
      const copy = page.getByRole("button", { name: say("Copy amount", "复制金额") });
      expect(await copy.count()).toBe(0);
      await page.getByRole("button", { name: say("WeChat Pay", "微信支付") }).click();
      await copy.click();
      await expect.poll(() => live(page)).toBe(say("Copied", "已复制"));
      await expect.poll(() => live(page)).toBe("");
    },
  ],
  [
    "the deadline is a time of day if it is far away, and minutes if it is near",
    async ({ origin, shop, paying }, { locale, say }) => {
      const { page } = await paying({ locale });
      const deadline = () => page.locator("time[data-countdown]").textContent();
      expect(await deadline()).toMatch(say("en", "zh") === "en" ? /^\d+:\d\d left$/ : /^剩余 \d+:\d\d$/);
      const { token } = await shop.order();
      await page.goto(`${origin}/pay/${token}`);
      await expect.poll(deadline).toMatch(say("en", "zh") === "en" ? /^pay by tomorrow \d\d:\d\d$/ : /^请于明天 \d\d:\d\d 前付款$/);
    },
  ],
];
