import type { CredentialField, GatewayManifest } from "#gateways/index.ts";
import { defineWords, maxAmountMinor } from "#platform/index.ts";
import { amounts } from "./wire.ts";

const fields: readonly CredentialField[] = [
  {
    name: "key_id",
    secret: false,
    required: true,
    multiline: false,
    names: defineWords({ en: "Key Id", zh: "Key Id" }),
    hints: defineWords({
      en: "Razorpay Dashboard, in Test or Live mode › Account & Settings › Website and app settings › API Keys. Starts with rzp_test_ or rzp_live_.",
      zh: "在 Razorpay Dashboard 的 Test 或 Live 模式下：Account & Settings › Website and app settings › API Keys。以 rzp_test_ 或 rzp_live_ 开头。",
    }),
  },
  {
    name: "key_secret",
    secret: true,
    required: true,
    multiline: false,
    names: defineWords({ en: "Key Secret", zh: "Key Secret" }),
    hints: defineWords({
      en: "Only shown when the key is generated. If you lost it, regenerate the key.",
      zh: "仅在生成密钥时显示一次；如已遗失，需要重新生成密钥。",
    }),
  },
  {
    name: "webhook_secret",
    secret: true,
    required: false,
    multiline: false,
    names: defineWords({ en: "Webhook secret", zh: "Webhook 密钥" }),
    hints: defineWords({
      en: "The secret you chose when you added this account's callback address at Razorpay. Leave it blank until then.",
      zh: "您在 Razorpay 添加此账户的回调地址时自定义的密钥，在此之前请留空。",
    }),
  },
  {
    name: "merchant_id",
    secret: false,
    required: false,
    multiline: false,
    names: defineWords({ en: "Merchant ID", zh: "商户 ID" }),
    hints: defineWords({
      en: "Shown at the top right of the Dashboard. If set, callbacks from other accounts are refused.",
      zh: "显示在 Dashboard 右上角。填写后，来自其他账户的回调会被拒绝。",
    }),
  },
];

/** As Razorpay lists them; which of them an account may accept is agreed with Razorpay. */
const currencies =
  "AED ALL AMD AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BZD CAD CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD GBP GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SCR SEK SGD SOS SVC SZL THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV XAF XCD XOF XPF YER ZAR ZMW".split(
    " ",
  );

export const manifest = {
  method: {
    kind: "gateway",
    name: "razorpay",
    gateway: "razorpay",
    currencies,
    names: defineWords({ en: "Razorpay", zh: "Razorpay" }),
    tile: {
      colour: "#0b2a6b",
      sign: '<path d="m9 10.5-.7 2.6 4-2.6L9.7 20h2.6l3.9-14.5z"/><path d="M7.8 13.9 6.2 20h5l2-7.6z" opacity=".65"/>',
    },
    app: null,
  },
  fields,
  // Only the key shows whether a payment is real.
  hosts: { live: "https://api.razorpay.com", test: "https://api.razorpay.com" },
  // One rupee, or the equivalent. The maximum is agreed with each merchant.
  limits: { minMinor: () => 100, maxMinor: () => maxAmountMinor, stepMinor: amounts.stepMinor },
  // At least a quarter of an hour by Razorpay's clock, at most half a year.
  lifetime: { minSeconds: 960, maxSeconds: 15_552_000 },
  refundDays: 180,
  callbackPerPayment: false,
  callbackEvents: [
    "payment_link.paid",
    "payment_link.partially_paid",
    "payment_link.expired",
    "payment_link.cancelled",
    "payment.authorized",
    "payment.captured",
    "payment.failed",
    "refund.created",
    "refund.processed",
    "refund.failed",
    "payment.dispute.created",
    "payment.dispute.under_review",
    "payment.dispute.action_required",
    "payment.dispute.won",
    "payment.dispute.lost",
    "payment.dispute.closed",
  ],
  callbackEntry: {
    field: "webhook_secret",
    hints: defineWords({
      en: "Razorpay Dashboard › Account & Settings › Website and app settings › Webhooks › Add New Webhook: enter this address and a long secret of your choice, and select all events for payment links, payments, refunds and disputes.",
      zh: "在 Razorpay Dashboard 的 Account & Settings › Website and app settings › Webhooks › Add New Webhook 中填写此地址和一个自定义的长密钥，并勾选 payment link、payment、refund 和 dispute 的全部事件。",
    }),
  },
} as const satisfies GatewayManifest;
