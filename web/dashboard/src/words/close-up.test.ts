import { expect, test } from "vitest";
import { closeUp, spaceOut } from "./close-up.ts";

test.each([
  ["请在 支付宝 填写", "请在支付宝填写"],
  ["通过 Stripe（演示） 退款", "通过 Stripe（演示）退款"],
  ["请在 Stripe 填写", "请在 Stripe 填写"],
  ["WeChat Pay 接受", "WeChat Pay 接受"],
])("%s reads %s", (text, closed) => {
  expect(closeUp(text)).toBe(closed);
});

test("a number that the browser wrote is separated from a Chinese word, and English is unchanged", () => {
  const ago = (locale: string) => spaceOut(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-30, "minute"));
  expect([ago("zh-CN"), ago("en-GB"), spaceOut("昨天")]).toEqual(["30 分钟前", "30 minutes ago", "昨天"]);
});
