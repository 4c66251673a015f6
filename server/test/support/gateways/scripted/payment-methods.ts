import { paymentMethods } from "#app/payment-methods.ts";
import type { GatewayMethod, PaymentMethod } from "#gateways/payment-methods.ts";

/** A gateway that only tests have. */
export const testPay: GatewayMethod = {
  kind: "gateway",
  name: "testpay",
  gateway: "testpay",
  currencies: ["EUR"],
  names: { en: "Test Pay", zh: "测试支付" },
  tile: { colour: "#123456", sign: '<path d="M4 12h16"/>' },
  app: null,
};

/** Receiving codes and that gateway, with WeChat's codes taking dollars too. */
export const oddMethods: readonly PaymentMethod[] = [
  ...paymentMethods.all
    .filter(({ kind }) => kind === "personal_qr")
    .map((method) => (method.name === "wechatpay" ? { ...method, currencies: ["CNY", "USD"] } : method)),
  testPay,
];
