import { describe, expect, it } from "vitest";
import type { PayView } from "#checkout/index.ts";
import { pageRequest } from "#test/support/payments/page-request.ts";
import { payViews } from "#test/support/payments/pay-views.ts";
import { renderPayPage } from "./render-page.ts";

const languages = ["en", "zh"] as const;
const say = (lang: "en" | "zh", en: string, zh: string) => (lang === "en" ? en : zh);
/** One face of the page as text, with changes. */
const textOf = (face: string, lang: "en" | "zh", changes: Partial<PayView> = {}) =>
  renderPayPage({ ...payViews[face]!, ...changes }, pageRequest({ lang })).replaceAll("&#39;", "'");

describe.each(languages)("after a rejected report, in %s", (lang) => {
  const rejection = { reason_code: "not_received", note: null };
  const reason = say(lang, "Your transfer couldn't be found.", "收款账户中没有找到这笔转账。");
  const advice = say(lang, "pay again", "重新付款");

  it.each(["canceled_after_code", "revoked", "expired_after_code"])("%s says why, and doesn't advise to pay", (face) => {
    const text = textOf(face, lang, { rejection });
    expect(text).toContain(reason);
    expect(text).not.toContain(advice);
  });

  it.each(["choose", "pay"])("%s also says that they can pay again", (face) => {
    const text = textOf(face, lang, { rejection });
    expect(text).toContain(reason);
    expect(text).toContain(advice);
  });
});
