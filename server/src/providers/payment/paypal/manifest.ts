import type { CredentialField, GatewayManifest } from "#gateways/index.ts";
import { currencyExponent, defineWords } from "#platform/index.ts";
import { amounts } from "./wire.ts";

const fields: readonly CredentialField[] = [
  {
    name: "client_id",
    secret: false,
    required: true,
    multiline: false,
    names: defineWords({ en: "Client ID", zh: "Client ID" }),
    hints: defineWords({
      en: "At developer.paypal.com, Apps & Credentials: choose Live or Sandbox, then open your app.",
      zh: "登录 developer.paypal.com，在 Apps & Credentials 中选择 Live 或 Sandbox，然后打开您的应用。",
    }),
  },
  {
    name: "client_secret",
    secret: true,
    required: true,
    multiline: false,
    names: defineWords({ en: "Secret", zh: "Secret" }),
    hints: defineWords({
      en: "On the same page, below the client ID: Secret key 1.",
      zh: "在同一页面的 Client ID 下方：Secret key 1。",
    }),
  },
  {
    name: "webhook_id",
    secret: false,
    required: false,
    multiline: false,
    names: defineWords({ en: "Webhook ID", zh: "Webhook ID" }),
    hints: defineWords({
      en: "PayPal shows it once you have added this account's callback address. Leave it blank until then.",
      zh: "在 PayPal 添加此账户的回调地址后会显示，在此之前请留空。",
    }),
  },
  {
    name: "merchant_id",
    secret: false,
    required: false,
    multiline: false,
    names: defineWords({ en: "Merchant ID", zh: "商户 ID" }),
    hints: defineWords({
      en: "At paypal.com, Account Settings, Business information: PayPal Merchant ID. If set, payments to other accounts are detected.",
      zh: "登录 paypal.com，在“账户设置”的“商家信息”中查看 PayPal 商户 ID。填写后，系统会识别付到其他账户的款项。",
    }),
  },
];

/** Seven digits before the decimal point. */
const maxMajor = 9_999_999;

export const manifest = {
  method: {
    kind: "gateway",
    name: "paypal",
    gateway: "paypal",
    // As PayPal lists them, without the renminbi, which only accounts in China may accept and no longer through this API. BRL and MYR are
    // for accounts in those countries.
    currencies: "AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD".split(" "),
    names: defineWords({ en: "PayPal", zh: "PayPal" }),
    tile: {
      colour: "#003087",
      sign: '<path d="M7.6 18.5 9.4 5.5h5c2.7 0 4.2 1.5 3.8 4-.5 2.9-2.6 4.4-5.4 4.4h-2.3l-.6 4.6z"/>',
    },
    app: null,
  },
  fields,
  hosts: { live: "https://api-m.paypal.com", test: "https://api-m.sandbox.paypal.com" },
  limits: {
    minMinor: amounts.stepMinor,
    maxMinor: (currency) => maxMajor * 10 ** currencyExponent(currency),
    stepMinor: amounts.stepMinor,
  },
  // An unapproved order expires after three hours. It can't be closed, but uncaptured money is never taken.
  lifetime: { minSeconds: 60, maxSeconds: 10_800 },
  refundDays: 180,
  callbackPerPayment: false,
  callbackEvents: [
    "CHECKOUT.ORDER.APPROVED",
    "CHECKOUT.ORDER.COMPLETED",
    "CHECKOUT.ORDER.VOIDED",
    "CHECKOUT.PAYMENT-APPROVAL.REVERSED",
    "PAYMENT.CAPTURE.COMPLETED",
    "PAYMENT.CAPTURE.PENDING",
    "PAYMENT.CAPTURE.DECLINED",
    "PAYMENT.CAPTURE.DENIED",
    "PAYMENT.CAPTURE.REFUNDED",
    "PAYMENT.CAPTURE.REVERSED",
    "PAYMENT.REFUND.PENDING",
    "PAYMENT.REFUND.FAILED",
    "CUSTOMER.DISPUTE.CREATED",
    "CUSTOMER.DISPUTE.UPDATED",
    "CUSTOMER.DISPUTE.RESOLVED",
  ],
  callbackEntry: {
    field: "webhook_id",
    hints: defineWords({
      en: "At developer.paypal.com, Apps & Credentials: open your app, then Webhooks › Add Webhook. Enter this address, select all event types, and save.",
      zh: "登录 developer.paypal.com，在 Apps & Credentials 中打开您的应用，进入 Webhooks › Add Webhook，填写此地址，勾选全部事件类型并保存。",
    }),
  },
} as const satisfies GatewayManifest;
