import { expect, test } from "vitest";
import { orderWith } from "./order-gateways.ts";

const three = ["wechatpay", "stripe", "mollie"].map((slug) => ({ slug }));

test.each<[string, string, -1 | 1, string[]]>([
  ["up comes before the one above it", "mollie", -1, ["wechatpay", "mollie", "stripe"]],
  ["down comes after the one below it", "wechatpay", 1, ["stripe", "wechatpay", "mollie"]],
  ["up from the top stays", "wechatpay", -1, []],
  ["down from the bottom stays", "mollie", 1, []],
  ["that isn't listed stays", "paypal", 1, []],
])("a gateway that is moved %s", (_what, slug, step, order) => {
  expect(orderWith(three, slug, step)).toEqual(order);
});
