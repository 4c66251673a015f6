import { describe, expect, it } from "vitest";
import { paymentMethods } from "#app/payment-methods.ts";
import type { PayView } from "#checkout/index.ts";
import { chooseLanguage } from "#platform/index.ts";
import { pageRequest as request } from "#test/support/payments/page-request.ts";
import { hostileText, hostileView, pageNow, payViews } from "#test/support/payments/pay-views.ts";
import { moneyText, timeText, zoneOf } from "../format.ts";
import { type Device, deviceOf } from "./device.ts";
import { renderPayPage, renderReceipt, renderUnknownPage } from "./render-page.ts";

const bareText = (page: string) => page.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

describe.each(Object.entries(payViews))("the page %s", (_name, view) => {
  it.each(["en", "zh"] as const)("in %s carries no inline script, style or third-party address", (lang) => {
    const page = renderPayPage(view, request({ lang }));
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|javascript:/);
    const addresses = [...page.matchAll(/(?:src|action|href)="([^"]*)"/g)].map((match) => match[1] ?? "");
    const own = /^(\/|#|mailto:|weixin:|alipays:)/;
    const named = [view.order.return_url, ...view.refund_claims.map(({ url }) => url)];
    expect(addresses.filter((address) => !own.test(address) && !named.includes(address))).toEqual([]);
  });

  it("never shows an internal word", () => {
    expect(bareText(renderPayPage(view, request()))).not.toMatch(
      /session|webhook|voucher|gateway|pending_verify|undefined|null|NaN|\[object/i,
    );
  });

  it("differs in the other language, and shows nothing in the wrong one", () => {
    const chinese = bareText(renderPayPage(view, request({ lang: "zh" })));
    expect(chinese).toMatch(/[\u4e00-\u9fff]/);
    const english = bareText(renderPayPage(view, request())).replaceAll("中文", "").replaceAll("张*", "");
    expect(english).not.toMatch(/[\u4e00-\u9fff]/);
  });
});

describe("texts of others", () => {
  it("are escaped everywhere", () => {
    for (const lang of ["en", "zh"] as const) {
      const page = renderPayPage(hostileView, request({ lang })) + renderReceipt({ ...hostileView, state: "paid" }, request({ lang }));
      expect(page).not.toContain("<img src=x");
      expect(page).not.toContain("<script>alert");
      expect(page).not.toContain(hostileText);
    }
  });

  it("can't choose a sentence outside the tables", () => {
    const page = renderPayPage(payViews["choose"]!, request({ problem: "<b>__proto__</b>" }));
    expect(page).toContain("Something went wrong.");
    expect(page).not.toContain("__proto__");
    expect(renderPayPage(payViews["choose"]!, request({ problem: "constructor" }))).toContain("Something went wrong.");
  });
});

describe("a choice", () => {
  it("carries language and colors through every form and link of the page", () => {
    const page = renderPayPage(payViews["pay_test"]!, request({ lang: "zh", requested: { lang: "zh", theme: "dark" } }));
    const actions = [...page.matchAll(/(?:form)?action="([^"]*)"/g)].map((match) => match[1]);
    expect(actions.length).toBeGreaterThan(2);
    for (const action of actions) expect(action).toContain("?lang&#61;zh&#38;theme&#61;dark");
    expect(page).toContain('data-theme="dark"');
  });

  it.each<[string | undefined, string, string | undefined, string]>([
    [undefined, "auto", "zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    [undefined, "auto", "en-US,en;q=0.9,zh;q=0.8", "en"],
    [undefined, "auto", "en;q=0.5, zh-TW;q=0.9", "zh"],
    [undefined, "auto", "fr-FR,fr;q=0.9", "en"],
    [undefined, "auto", "zh;q=0", "en"],
    [undefined, "auto", undefined, "en"],
    [undefined, "zh-CN", "en", "zh"],
    ["en", "zh-CN", "zh", "en"],
    ["fr", "auto", "zh", "zh"],
    [undefined, "auto", ";;;q=,=", "en"],
  ])("asked %s, order %s, browser %s: %s", (requested, locale, header, expected) => {
    expect(chooseLanguage({ requested, set: locale, accepted: header })).toBe(expected);
  });
});

describe("the device", () => {
  const wechatAndroid =
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/116.0 Mobile Safari/537.36 XWEB/1160 MicroMessenger/8.0.44";
  it.each<[string | undefined, Device]>([
    [wechatAndroid, "wechat"],
    ["Mozilla/5.0 (Windows NT 10.0) MicroMessenger/7.0 WindowsWechat", "desktop"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148 AliApp(AP/10.5) AlipayClient/10.5", "alipay"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1", "phone"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", "desktop"],
    [undefined, "desktop"],
  ])("%s is read as %s", (agent, expected) => {
    expect(deviceOf(agent, paymentMethods)).toBe(expected);
  });

  it("determines the steps, and an address into an app is offered only where it can open", () => {
    const at = (device: Device, name = "pay_alipay") => renderPayPage(payViews[name]!, request({ device }));
    expect(at("phone")).toContain("alipays://platformapi/startapp?saId&#61;10000007&#38;qrcode&#61;https%3A%2F%2Fqr.alipay.com%2F");
    for (const device of ["wechat", "alipay", "desktop"] as const) expect(at(device)).not.toContain("alipays:");
    expect(at("wechat", "pay")).toContain("Press and hold the QR code");
    for (const name of ["pay", "pay_gateway_code"])
      expect(at("desktop", name)).toContain("Open WeChat on your phone and scan the QR code.");
  });
});

describe("amounts and times", () => {
  it.each([
    ["en", 9900, "CNY", 2, "¥99.00"],
    ["zh", 123456789, "CNY", 2, "¥1,234,567.89"],
    ["en", 5000, "JPY", 0, "JP¥5,000"],
    ["en", 1005, "KWD", 3, "KWD 1.005"],
    ["en", 99_999_999_999, "USD", 2, "$999,999,999.99"],
    ["zh", 1, "EUR", 2, "€0.01"],
  ] as const)("%s %i %s reads %s %s", (lang, amount_minor, currency, exponent, expected) => {
    expect(moneyText(lang, { amount_minor, currency, exponent }).whole).toBe(expected);
  });

  it("state their time zone", () => {
    expect(timeText("en", pageNow, zoneOf("en", "CNY"))).toBe("Nov 20, 2026, 14:08 Beijing time");
    expect(timeText("zh", pageNow, zoneOf("zh", "CNY"))).toContain("14:08（北京时间）");
    expect(timeText("en", pageNow, zoneOf("en", "USD"))).toBe("Nov 20, 2026, 06:08 UTC");
  });
});

describe("why something failed", () => {
  const codes = [
    "channel_limit",
    "amount_out_of_range",
    "unsupported_currency",
    "reference_exists",
    "limit_reached",
    "no_free_amount",
    "session_active",
  ];
  it.each(codes)("%s has its own explanation, in both languages", (problem) => {
    for (const lang of ["en", "zh"] as const) {
      const problemOf = (code: string) =>
        /data-problem>([^<]*)</.exec(renderPayPage(payViews["choose"]!, request({ lang, problem: code })))?.[1];
      expect([problemOf(problem), problemOf(problem) === problemOf("no_such_code")]).toEqual([expect.stringMatching(/.{8}/), false]);
    }
  });
});

describe("what the buyer can still do", () => {
  it.each(["expired", "revoked", "failed"])("on %s: report the payment, with proof or without, and reach the merchant", (name) => {
    const page = renderPayPage(payViews[name]!, request());
    expect(page).toContain("I already paid");
    expect(page).toContain('name="gateway" value="wechatpay"');
    expect(page).toContain("/voucher");
    expect(page).toContain("/report");
    expect(page).toMatch(/Contact Lantern Books|Reach Lantern Books/);
  });

  it("on a canceled order: not pay, but see whom to ask", () => {
    const page = renderPayPage(payViews["canceled"]!, request());
    expect(page).toContain("Please don&#39;t pay. You haven&#39;t been charged.");
    expect(page).toContain('data-copy="INV-1001"');
    expect(page).not.toContain("<form");
  });

  it.each<[string, Partial<PayView>, boolean]>([
    ["nothing was begun", {}, true],
    ["a code was shown", { session: { ...payViews["choose_after_code"]!.session! } }, false],
    ["a proof was rejected", { can_report: true, rejection: { reason_code: "not_received", note: null } }, false],
    [
      "a part arrived that no code was shown for",
      { order: { ...payViews["choose"]!.order, received_minor: 5000, rest_minor: 4900 } },
      false,
    ],
  ])("without any payment method and %s: see that nothing was taken only if that is so, else whom to ask", (_what, change, isUntouched) => {
    const page = renderPayPage({ ...payViews["no_channels"]!, ...change }, request());
    expect(page).toMatch(/No payment method available[\s\S]*href="\/pay\/[^"]*">Try again</);
    expect([page.includes("You haven&#39;t been charged."), page.includes("If you already paid, contact Lantern Books.")]).toEqual([
      isUntouched,
      !isUntouched,
    ]);
  });

  const hint = "Already paid? Let them know below.";
  const unpaid = "You haven&#39;t been charged. If you still want to pay, ask Lantern Books for a new link.";
  const elsewhere = "If you already paid, contact Lantern Books. Otherwise, ask them for a new link.";
  it.each<[string, string, Partial<PayView>, string]>([
    ["expired", "reported", {}, hint],
    ["expired_after_code", "reported", {}, hint],
    ["expired_after_code", "reported, and the code can still be scanned", {}, "Don&#39;t pay with the old QR code."],
    ["expired", "not reported", { channels: [] }, unpaid],
    ["expired_after_code", "not reported", { channels: [] }, elsewhere],
    [
      "expired",
      "not reported, though a part arrived that no code was shown for",
      { channels: [], order: { ...payViews["expired"]!.order, received_minor: 5000, rest_minor: 4900 } },
      elsewhere,
    ],
    ["canceled_after_code", "not reported", { channels: [] }, "Please don&#39;t pay. If you already paid, contact Lantern Books."],
  ])("on %s, where a payment can be %s: see what to do if they paid", (name, _what, change, expected) => {
    const page = renderPayPage({ ...payViews[name]!, ...change }, request());
    expect(page).toContain(expected);
    expect([page.includes("I already paid"), page.includes("been charged")]).toEqual([page.includes(hint), expected === unpaid]);
  });

  it("on a failed payment: see why, but not once more that it failed", () => {
    const failed = payViews["failed"]!;
    const page = renderPayPage({ ...failed, rejection: { reason_code: "unreadable", note: "Page 2 is missing." } }, request());
    expect(page).not.toContain("couldn&#39;t confirm your payment");
    expect(page).toMatch(
      /<h1>Your payment wasn&#39;t confirmed<\/h1>\s*<p>The image couldn&#39;t be read\.<\/p><p>If your account was charged/,
    );
    expect(page).toContain("Page 2 is missing.");
    expect(page).toMatch(/<details class="already" open/);
  });

  it("on a payment that failed because another amount arrived: see both amounts if they are known, and whom to contact", () => {
    const failed = payViews["failed"]!;
    const page = renderPayPage(failed, request());
    expect(page).toContain("<h1>The amount doesn&#39;t match</h1>");
    expect(page).toContain("Lantern Books received a different amount from the one due.");
    expect(page).toMatch(
      /to pay the difference or get your money back\.[\s\S]*class="button primary" href="mailto:[^>]*>Contact Lantern Books</,
    );
    expect(page).toMatch(/<details class="already"(?! open)/);
    const part = renderPayPage({ ...failed, order: { ...failed.order, received_minor: 5000, rest_minor: 4900 } }, request());
    expect(part).toContain("Lantern Books received ¥50.00, but the order is ¥99.00.");
    expect(part).not.toContain("of ¥99.00 received");
  });

  it("before a method is chosen: that a QR code comes next, if it does with all of them", () => {
    const says = (name: string) => renderPayPage(payViews[name]!, request()).includes("get a QR code and the exact amount to pay.");
    expect([says("choose"), says("choose_demo")]).toEqual([true, false]);
  });

  it("on a canceled order whose code was shown: report the payment, and see what arrived and whom to ask", () => {
    const before = renderPayPage(payViews["canceled_after_code"]!, request());
    expect(before).toContain("Let Lantern Books know below so they can find the transfer and return it.");
    expect(before).toMatch(/I already paid[\s\S]*\/report/);
    const html = renderPayPage(payViews["canceled_told"]!, request());
    expect(html).toContain("¥40.00 of ¥99.00 received");
    expect(html).toMatch(/To get it back, contact them with the reference above\.[\s\S]*You reported your payment at /);
    expect(html).toContain("/voucher");
    expect(html).not.toContain("I already paid");
  });

  it("copy the amount only if it is the requested one", () => {
    const copied = (name: string) => renderPayPage(payViews[name]!, request()).includes("Copy amount");
    const choosing = Object.keys(payViews).filter((name) => payViews[name]?.state === "choose");
    expect(choosing.filter(copied)).toEqual([]);
    expect([copied("pay"), choosing.length > 3]).toEqual([true, true]);
  });

  it("on a paid order and its receipt: see what they sent, next to the order's amount if the two differ", () => {
    const paid = payViews["paid"]!;
    const lowered = { ...paid, order: { ...paid.order, received_minor: paid.order.amount_minor - 3 } };
    for (const render of [renderPayPage, renderReceipt]) {
      const sum = /<p class="sum">(.*?)<\/p>/.exec(render(lowered, request()))?.[1];
      expect(sum?.replace(/<[^>]+>/g, "")).toBe(moneyText("en", { ...paid.order, amount_minor: paid.order.amount_minor - 3 }).whole);
      expect(render(lowered, request())).toContain("Order amount");
      expect(render({ ...paid, order: { ...paid.order, received_minor: paid.order.amount_minor } }, request())).not.toContain(
        "Order amount",
      );
    }
  });

  it("on an underpaid order: pay the rest, which is the amount on top", () => {
    const page = renderPayPage(payViews["pay_underpaid"]!, request());
    expect(page).toContain("Remaining amount");
    expect(page).toContain("¥50.00 of ¥99.00 received");
    expect(page).toContain("</span>49.00</span>");
  });

  it("on an unknown link: nothing reveals whether it ever existed", () => {
    expect(renderUnknownPage(request())).toContain("find this payment");
  });
});
