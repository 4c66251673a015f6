import { expect, test } from "vitest";
import { paymentMethods } from "#app/payment-methods.ts";
import { testPay } from "#test/support/gateways/scripted/payment-methods.ts";
import { inBuyersOrder } from "./buyers-order.ts";

const card = { ...testPay, name: "testpay_card" };
const personal = paymentMethods.all.filter(({ kind }) => kind === "personal_qr");
const methods = [...personal, testPay, card];
const ordered = (gateway_order?: string[]) =>
  inBuyersOrder(methods, gateway_order === undefined ? undefined : { gateway_order }).map(({ name }) => name);

test.each<[string, string[] | undefined, string[]]>([
  ["without an order of its own", undefined, ["wechatpay", "alipay", "testpay", "testpay_card"]],
  ["with an empty one", [], ["wechatpay", "alipay", "testpay", "testpay_card"]],
  ["with one gateway in it", ["alipay"], ["alipay", "wechatpay", "testpay", "testpay_card"]],
  ["with a gateway of two methods", ["testpay", "alipay"], ["testpay", "testpay_card", "alipay", "wechatpay"]],
  ["with a gateway that the installation no longer has", ["oldpay", "alipay"], ["alipay", "wechatpay", "testpay", "testpay_card"]],
])("a project %s shows its methods in that order, and the others after them", (_what, given, names) => {
  expect(ordered(given)).toEqual(names);
});
