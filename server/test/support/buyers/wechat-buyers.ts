import type { BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { openBrowser, phone, type TestBrowser } from "#test/support/browser/browser.ts";
import { pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { type WechatApp, wechatAgent, wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { freePort } from "#test/support/network/free-port.ts";

export type WechatLanguage = "zh" | "en";

/** An app that reaches WeChat Pay's simulator, and buyers in and outside of WeChat. */
export interface WechatBuyers {
  wechat: WechatApp;
  browser: TestBrowser;
  publicUrl: string;
  /**
   * WeChat's browser on a phone. Its cashier covers the page regardless of the page's policy, as in the app; `bridged`: it gives pages its
   * bridge.
   */
  inWechat(options: BrowserContextOptions & { lang: WechatLanguage; bridged?: boolean }): Promise<Page>;
  /** Everything that the providers have to say is heard. */
  settle(): Promise<void>;
}

/** Call it at the top of the file. */
export async function wechatBuyers(): Promise<WechatBuyers> {
  const port = await freePort();
  const publicUrl = `http://localhost:${port}`;
  const wechat = await wechatApp({ publicUrl });
  const browser = await openBrowser();
  await (await wechat.app.server()).listen({ host: "127.0.0.1", port });
  /** What gives pages WeChat's bridge. */
  const bridge = await (await fetch(`${wechat.origin}/jsbridge.js`)).text();
  return {
    ...{ wechat, browser, publicUrl },
    async inWechat({ lang, bridged = true, ...more }) {
      const page = await browser.page({
        ...phone,
        ...{ userAgent: wechatAgent(), locale: lang === "zh" ? "zh-CN" : "en-GB", timezoneId: "Asia/Shanghai", bypassCSP: true },
        ...more,
      });
      if (bridged) await page.addInitScript({ content: bridge });
      return page;
    },
    async settle() {
      wechat.app.clock.advance(301_000);
      await pollDue(wechat.app);
    },
  };
}

export const wechatWords = {
  zh: {
    choose: "微信支付",
    pay: "用微信支付付款",
    canceled: "您已取消支付",
    failed: "没能打开这笔付款",
    paid: "付款成功",
    other: "其他付款方式",
    outside: "当前浏览器无法打开",
  },
  en: {
    choose: "WeChat Pay",
    pay: "Pay with WeChat Pay",
    canceled: "You canceled the payment",
    failed: "couldn't open the payment",
    paid: "Paid",
    other: "Other payment methods",
    outside: "This browser can't open",
  },
};

export const cashier = (page: Page): FrameLocator => page.frameLocator('iframe[title="WeChat Pay"]');
export const chooseMerchant = (page: Page) => page.locator('button[name="gateway"][value="wechatpay_merchant"]').first();
