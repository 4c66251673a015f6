import { expect, test } from "vitest";
import { closeUp } from "./close-up.ts";

test.each([
  ["请在 支付宝 填写", "请在支付宝填写"],
  ["通过 Stripe（演示） 退款", "通过 Stripe（演示）退款"],
  ["请在 Stripe 填写", "请在 Stripe 填写"],
  ["WeChat Pay 接受", "WeChat Pay 接受"],
])("%s reads %s", (text, closed) => {
  expect(closeUp(text)).toBe(closed);
});
