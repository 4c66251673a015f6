import { describe, expect, it } from "vitest";
import { pageRequest } from "#test/support/payments/page-request.ts";
import { payViews } from "#test/support/payments/pay-views.ts";
import type { Device } from "./device.ts";
import { renderPayPage } from "./render-page.ts";

const pageOf = (face: string, device: Device, lang: "en" | "zh" = "en") => renderPayPage(payViews[face]!, pageRequest({ device, lang }));
const textsOf = (page: string, pattern: RegExp) =>
  [...page.matchAll(pattern)].map(([, inner = ""]) => inner.replace(/<[^>]+>/g, "").trim());
const filled = (page: string) => textsOf(page, /class="button primary"[^>]*>([\s\S]*?)<\/(?:a|button)>/g);

describe("the filled button", () => {
  it.each<[string, string, Device, string[]]>([
    ["saves the code on a phone", "pay", "phone", ["Save image"]],
    ["opens the app on a phone if that leads to the code", "pay_alipay", "phone", ["Open Alipay"]],
    ["saves the code inside another wallet's app", "pay", "alipay", ["Save image"]],
    ["reports the payment inside the app, where the code is pressed", "pay", "wechat", ["I have paid"]],
    ["reports the payment on a desktop, where the code is scanned", "pay", "desktop", ["I have paid"]],
  ])("%s", (_what, face, device, expected) => {
    expect(filled(pageOf(face, device))).toEqual(expected);
  });
});

describe("a personal code and a gateway under one name", () => {
  const named = (lang: "en" | "zh", channels: string[]) =>
    textsOf(renderPayPage({ ...payViews["choose"]!, channels }, pageRequest({ lang })), /<button class="way"[^>]*>([\s\S]*?)<\/button>/g);

  it("differ by the code's own name, only if both are offered", () => {
    const both = ["wechatpay", "alipay", "wechatpay_merchant", "alipay_merchant"];
    expect(named("en", both)).toEqual(["WeChat QR transfer", "Alipay QR transfer", "WeChat Pay", "Alipay"]);
    expect(named("zh", both)).toEqual(["微信扫码转账", "支付宝扫码转账", "微信支付", "支付宝"]);
    expect(named("en", ["wechatpay", "alipay_merchant"])).toEqual(["WeChat Pay", "Alipay"]);
  });
});

describe("a gateway's code", () => {
  const view = payViews["pay_gateway_code"]!;
  const steps = (method: string, device: Device) => {
    const session = { ...view.session!, gateway: method, method };
    const page = renderPayPage({ ...view, session, channels: [method] }, pageRequest({ device }));
    return textsOf(page, /<li><span>([^<]*)/g);
  };

  it("is saved first where it can be scanned from the album, and nowhere else", () => {
    expect(steps("alipay_merchant", "phone").slice(0, 2)).toEqual([
      "Save the image or take a screenshot.",
      "Open Alipay, tap Scan, then select the image from your album.",
    ]);
    expect(steps("wechatpay_merchant", "phone")[0]).toMatch(/^Open this page on a computer or another phone/);
    expect(steps("alipay_merchant", "desktop")[0]).toBe("Open Alipay on your phone and scan the QR code.");
  });
});

describe("the way to a provider", () => {
  const button = (method: string, lang: "en" | "zh") => {
    const view = payViews["pay_gateway_away"]!;
    const session = { ...view.session!, gateway: method, method };
    return filled(renderPayPage({ ...view, session, channels: [method] }, pageRequest({ lang })));
  };

  it.each([
    ["wechatpay_merchant", "Continue to WeChat Pay", "前往微信支付"],
    ["alipay_merchant", "Continue to Alipay", "前往支付宝付款"],
    ["stripe", "Continue to Stripe", "前往 Stripe 付款"],
    ["btcpay", "Pay with Bitcoin", "用比特币付款"],
  ])("%s: %s, %s", (method, english, chinese) => {
    expect([button(method, "en"), button(method, "zh")]).toEqual([[english], [chinese]]);
  });

  it("marks a simulated provider on the line of its name", () => {
    expect(pageOf("choose_demo", "phone")).toContain('Card and more (Stripe)\u00a0<span class="demo">Demo</span>');
  });
});

it.each([
  ["en", "pay by Nov 20, 2026, 16:08 Beijing time"],
  ["zh", "请于 2026年11月20日 16:08（北京时间）前付款"],
] as const)("the deadline says until when to pay, in %s", (lang, expected) => {
  expect(textsOf(pageOf("choose", "phone", lang), /data-countdown>([^<]*)/g)).toEqual([expected]);
});
