import { expect, test } from "vitest";
import { holdsAddress, refuseAddressesIn } from "./names.ts";

test.each([
  "support@bank.com",
  "Support (support@bank.com)",
  "support@bank.com via Shop",
  "support ＠ bank.com",
  "support﹫bank。com",
  "support@ban\u200bk.com",
  "客服@银行.中国",
  "a@xn--bank-abc.example",
  "root@[192.0.2.1]",
  "=?utf-8?q?support=40bank.com?=",
  "=?UTF-8?B?c3VwcG9ydEBiYW5rLmNvbQ==?=",
  "support@\u2060bank\u00ad.com",
])("%j contains an address", (name) => expect(holdsAddress(name)).toBe(true));

test.each(["Corner Books", "Books @ Corner", "@corner", "Li @ St. Mary", "a@b", "Fifty 50 % @ 3.", "Dr. Wu", "shop.example", "明月茶舍"])(
  "%j contains none",
  (name) => expect(holdsAddress(name)).toBe(false),
);

test("its own address isn't another's", () => {
  expect(holdsAddress("Orders@Acme.com", "orders@acme.com")).toBe(false);
  expect(holdsAddress("'orders@acme.com'", "orders@acme.com")).toBe(false);
  expect(holdsAddress("orders@acme.com or pay@bank.com", "orders@acme.com")).toBe(true);
});

test("all faulty names are reported together", () => {
  expect(() => refuseAddressesIn({ name: "a@b.com", slug: "fine", merchant_name: "c@d.com" })).toThrow(
    expect.objectContaining({
      code: "parameter_invalid",
      extras: expect.objectContaining({
        details: [{ param: "name" }, { param: "merchant_name" }].map((one) => expect.objectContaining(one)),
      }),
    }),
  );
});
