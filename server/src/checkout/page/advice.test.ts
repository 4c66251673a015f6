import { describe, expect, it } from "vitest";
import type { PayView } from "#checkout/index.ts";
import { pageRequest } from "#test/support/payments/page-request.ts";
import { pageNow, payViews } from "#test/support/payments/pay-views.ts";
import { renderPayPage, renderReceipt } from "./render-page.ts";

const languages = ["en", "zh"] as const;
const say = (lang: "en" | "zh", en: string, zh: string) => (lang === "en" ? en : zh);
/** One face of the page as text, with changes. */
const textOf = (face: string, lang: "en" | "zh", { problem = null, ...changes }: Partial<PayView> & { problem?: string | null } = {}) =>
  renderPayPage({ ...payViews[face]!, ...changes }, pageRequest({ lang, problem })).replaceAll("&#39;", "'");

describe.each(languages)("after a rejected report, in %s", (lang) => {
  const rejection = { reason_code: "not_received", note: null };
  const reason = say(lang, "Your transfer couldn't be found.", "收款账户中没有找到这笔转账。");
  const advice = say(lang, "pay again", "重新付款");

  it.each(["canceled_after_code", "revoked", "expired_after_code"])("%s says why, and doesn't advise to pay", (face) => {
    const text = textOf(face, lang, { rejection });
    expect(text).toContain(reason);
    expect(text).not.toContain(advice);
  });

  it.each(["choose_rejected", "choose", "pay", "pay_gateway_away"])(
    "%s says what to do if they were charged, and only then to pay again",
    (face) => {
      const text = textOf(face, lang, { rejection });
      expect(text).toContain(reason);
      expect(text.indexOf(say(lang, "If money left your account", "如已扣款"))).toBeGreaterThan(text.indexOf(reason));
      expect(text.indexOf(advice)).toBeGreaterThan(text.indexOf(say(lang, "If money left your account", "如已扣款")));
    },
  );

  it("the advice names what the page has: the form, the button, or the merchant", () => {
    const form = say(lang, "send clearer proof below", "在下方提交更清楚的凭证");
    const button = say(lang, "tap “I have paid”", "点击“我已付款”");
    const merchant = say(lang, "If money left your account, contact Lantern Books.", "如已扣款，请联系 Lantern Books");
    const named = (face: string) => [form, button, merchant].map((text) => textOf(face, lang, { rejection }).includes(text));
    expect(named("choose_rejected")).toEqual([true, false, false]);
    expect(named("pay")).toEqual([false, true, false]);
    expect(named("pay_gateway_away")).toEqual([false, false, true]);
  });
});

describe.each(languages)("a payment method that can't be changed, in %s", (lang) => {
  const reviewed = say(lang, "Your payment is being checked", "您的付款正在核对");
  const open = say(lang, "The payment you started can't be canceled right now.", "您已发起的付款暂时无法取消。");

  it.each([
    ["pay_gateway_away", open, reviewed],
    ["checking_gateway", reviewed, open],
    ["checking", reviewed, open],
  ])("on %s, is explained by what the open payment waits for", (face, expected, other) => {
    const text = textOf(face, lang, { problem: "session_active" });
    expect(text).toContain(expected);
    expect(text).not.toContain(other);
  });
});

describe.each(languages)("where the page promises to update, in %s", (lang) => {
  const link = (page: string) => /<noscript>[\s\S]*?<a class="button" href="([^"]*)">([^<]*)<\/a>/.exec(page)?.slice(1);

  it.each(["pay_gateway_code", "pay_gateway_code_over", "checking_gateway", "checking", "checking_proof"])(
    "%s has a link for browsers without scripts",
    (face) => {
      expect(link(textOf(face, lang))).toEqual([`/pay/${payViews[face]!.token}`, say(lang, "Check status", "查看最新状态")]);
    },
  );

  it("the link of a buyer who has come back from the provider leads to the same page", () => {
    const page = renderPayPage(payViews["pay_gateway_away"]!, pageRequest({ lang, requested: { lang }, isBack: true }));
    expect(link(page)?.[0]).toBe(`/pay/${payViews["pay_gateway_away"]!.token}?lang&#61;${lang}&#38;back&#61;paid`);
  });
});

describe.each(languages)("when the time of the last payment is over, in %s", (lang) => {
  const notAgain = say(
    lang,
    "If you've already paid, don't pay again. Let the merchant know below.",
    "如果您已付款，请勿重复付款，在下方告诉商家即可。",
  );
  const newCode = say(lang, "to get a new code. Don't pay with the old one.", "获取新码，请勿再用旧码付款。");
  const notInTime = say(lang, "Your last payment wasn't completed in time.", "上一笔付款没有按时完成");
  const session = payViews["choose_after_code"]!.session!;
  const unnoted: typeof session = { ...session, status: "pending", expires_at: pageNow };

  it.each([
    ["was noted", session],
    ["wasn't noted yet", unnoted],
  ])("and that %s, a buyer who was shown a code reads first not to pay again, and has the form for it open", (_what, over) => {
    const text = textOf("choose_after_code", lang, { session: over });
    expect(text.indexOf(notAgain)).toBeGreaterThan(0);
    expect(text.indexOf(newCode)).toBeGreaterThan(text.indexOf(notAgain));
    expect(text).toMatch(/<details class="already" open/);
    expect(text).not.toContain(notInTime);
  });

  it("a buyer who can't report the payment here reads whom to ask", () => {
    const text = textOf("choose_after_code", lang, { channels: ["stripe"] });
    expect(text).toContain(say(lang, "If you already paid, contact Lantern Books.", "如果您已付款，请联系 Lantern Books。"));
    expect(text).not.toContain(notAgain);
  });

  it("a buyer who was at a provider reads nothing about a QR code", () => {
    const text = textOf("choose", lang, { session: { ...payViews["pay_gateway_away"]!.session!, status: "expired", leads_away: false } });
    expect(text).toContain(notInTime);
    expect(text).not.toContain(newCode);
    expect(text).not.toContain(notAgain);
  });

  it("a buyer who was at a provider that is still queried reads not to pay again, and not that they didn't pay", () => {
    const text = textOf("choose_gateway_unsure", lang);
    expect(text).toContain(say(lang, "If you completed it, don't pay again", "如果您已完成付款，请不要重复付款"));
    expect(text).not.toContain(notInTime);
  });

  it("a buyer whose provider never reported the result reads not to pay again, and whom to ask", () => {
    const text = textOf("choose_gateway_unknown", lang);
    expect(text).toContain(say(lang, "don't pay again. Contact Lantern Books.", "请不要重复付款，并联系 Lantern Books。"));
    expect(text).not.toContain(notInTime);
  });
});

describe.each(languages)("a refusal because the link is no longer valid, in %s", (lang) => {
  const below = say(lang, "let the merchant know below", "请在下方告诉商家。");
  const merchant = say(lang, "If you've already paid, contact the merchant.", "如果您已付款，请联系商家。");

  it.each([
    ["expired", "payment_link_expired"],
    ["revoked", "payment_link_revoked"],
  ])("refers to the form on the %s page only if there is one", (face, problem) => {
    const reason = (changes: Partial<PayView>) => /data-problem>([^<]*)</.exec(textOf(face, lang, { ...changes, problem }))?.[1];
    expect(reason({})).toContain(below);
    expect(reason({ channels: ["stripe"] })).toContain(merchant);
    expect(reason({ channels: ["stripe"] })).not.toContain(below);
  });
});

describe("what the buyer sees", () => {
  const plain = (view: PayView, render = renderPayPage) => render(view, pageRequest()).replaceAll("&#39;", "'");

  it("after an attempt that brought a part: see that it arrived, not that the attempt failed", () => {
    const failed = payViews["attempt_failed"]!;
    const order = { ...failed.order, received_minor: 5000, rest_minor: 4900 };
    const after = (underpaid: boolean) => plain({ ...failed, order, session: { ...failed.session!, underpaid } });
    expect(after(true)).toContain("¥50.00 of ¥99.00 received");
    expect(after(true)).not.toContain("payment attempt failed");
    // A later attempt, for the rest.
    expect(after(false)).toContain("payment attempt failed");
    expect(after(false)).toContain("don't pay again");
  });

  it("after a failed attempt: see what to do if they were charged, before what to do if they weren't", () => {
    const attempt = payViews["attempt_failed"]!;
    const gateway = { ...attempt, can_report: false, session: { ...attempt.session!, kind: "gateway" as const } };
    expect(plain(attempt)).toMatch(/don't pay again\. Choose “I already paid” below\.[\s\S]*try again or choose another/);
    expect(plain(gateway)).toMatch(/don't pay again\. Contact Lantern Books\.[\s\S]*try again or choose another/);
  });

  it("on a refund to claim: one filled button, which claims it", () => {
    const filled = (name: string) => [...plain(payViews[name]!).matchAll(/class="button primary"[^>]*>([^<]*)/g)].map((match) => match[1]);
    expect([filled("paid_claim"), filled("paid")]).toEqual([["Claim refund"], ["Return to Lantern Books"]]);
  });

  it("the order's id only where nothing else names the payment", () => {
    const paid = payViews["paid"]!;
    const nameless = { ...paid, order: { ...paid.order, reference: "ord_01KAH3" } };
    const unreceipted = { ...nameless, order: { ...nameless.order, has_receipt: false } };
    const shown = [plain(nameless), plain(nameless, renderReceipt), plain(unreceipted)];
    expect(shown.map((page) => page.includes("ord_01KAH3"))).toEqual([false, true, true]);
  });
});
