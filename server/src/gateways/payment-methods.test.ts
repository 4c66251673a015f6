import { expect, test } from "vitest";
import { paymentMethods } from "#app/payment-methods.ts";
import { testPay } from "#test/support/gateways/scripted/payment-methods.ts";
import { listMethods, nameIn, takesCurrency } from "./payment-methods.ts";

test.each([
  ["a name that stands twice", [testPay, testPay], "two payment methods have one name"],
  ["a name that no address can hold", [{ ...testPay, name: "Test Pay" }], "cannot be the name"],
  ["a gateway without a method of its name", [{ ...testPay, name: "testpay_card" }], "no payment method of its name"],
] as const)("%s prevents the start", (_what, methods, message) => {
  expect(() => listMethods(methods)).toThrow(message);
});

test("a gateway may have several methods, and a language without a name uses the English one", () => {
  const card = { ...testPay, name: "testpay_card", currencies: "any", names: { en: "Card" } } as const;
  const methods = listMethods([...paymentMethods.all, testPay, card]);
  expect(methods.find("testpay_card")).toBe(card);
  expect(methods.find("stranger")).toBeNull();
  expect([takesCurrency(card, "JPY"), takesCurrency(testPay, "JPY")]).toEqual([true, false]);
  expect([nameIn(card.names, "zh"), nameIn(testPay.names, "zh")]).toEqual(["Card", "测试支付"]);
});
