import type { CredentialField, GatewayManifest, Names } from "#gateways/index.ts";
import { currencyExponent, defineWords, maxAmountMinor } from "#platform/index.ts";
import { stripeAmounts, stripeDecimals } from "./amounts.ts";

/** Currencies that cards can be charged in, from Stripe's page on supported currencies, if ISO 4217 still lists them. */
const currencies =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW".split(
    " ",
  );

/** The smallest charge in currencies that accounts are paid out in. In others it's the equivalent, which only Stripe knows. */
const least: Readonly<Record<string, number>> = {
  ...{
    USD: 50,
    AED: 200,
    AUD: 50,
    BRL: 50,
    CAD: 50,
    CHF: 50,
    CZK: 1_500,
    DKK: 250,
    EUR: 50,
    GBP: 30,
    HKD: 400,
    HUF: 17_500,
    INR: 50,
    JPY: 50,
  },
  ...{ MXN: 1_000, MYR: 200, NOK: 300, NZD: 50, PLN: 200, RON: 200, SEK: 300, SGD: 50, THB: 1_000 },
};

function field(name: string, given: { required: boolean; names: Names; hints: Names }): CredentialField {
  return { name, secret: true, multiline: false, ...given };
}

/** Stripe, with its hosted page (Checkout). */
export const manifest: GatewayManifest = {
  method: {
    kind: "gateway",
    name: "stripe",
    gateway: "stripe",
    currencies,
    names: defineWords({ en: "Card and more (Stripe)", zh: "银行卡等方式（Stripe）" }),
    tile: {
      colour: "#635bff",
      sign: '<rect x="4" y="6.5" width="16" height="11" rx="2" fill="none" stroke="#fff" stroke-width="1.8"/><path d="M4 9.5h16v2.2H4zM6.5 14h4v1.4h-4z"/>',
    },
    app: null,
  },
  provider: defineWords({ en: "Stripe", zh: "Stripe" }),
  fields: [
    field("secret_key", {
      required: true,
      names: defineWords({ en: "Secret key", zh: "私钥（Secret key）" }),
      hints: defineWords({
        en: "Stripe Dashboard › Developers › API keys: the secret key, or a restricted key with write access to Checkout Sessions and Refunds and read access to Charges and Balance.",
        zh: "Stripe 管理平台 › 开发者 › API 密钥：复制私钥；也可用受限密钥，需有 Checkout Sessions 和 Refunds 的写权限、Charges 和 Balance 的读权限。",
      }),
    }),
    field("webhook_secret", {
      required: false,
      names: defineWords({ en: "Webhook signing secret", zh: "Webhook 签名密钥" }),
      hints: defineWords({
        en: "Stripe shows it (whsec_…) once you have added this account's callback address. Leave it blank until then.",
        zh: "在 Stripe 添加此账户的回调地址后会显示（whsec_…），在此之前请留空。",
      }),
    }),
  ],
  hosts: { live: "https://api.stripe.com", test: "https://api.stripe.com" },
  limits: {
    minMinor: (currency) => least[currency] ?? oneUnit(currency),
    maxMinor: (currency) => Math.min(maxAmountMinor, Math.floor(isoOf(currency === "IDR" ? 999_999_999_999 : 99_999_999, currency))),
    stepMinor: stripeAmounts.stepMinor,
  },
  lifetime: { minSeconds: 1_800, maxSeconds: 86_400 },
  refundDays: null,
  callbackPerPayment: false,
  callbackEvents: [
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
    "charge.refunded",
    "charge.refund.updated",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
  ],
  callbackEntry: {
    field: "webhook_secret",
    hints: defineWords({
      en: "Stripe Dashboard › Developers › Webhooks › Add endpoint: enter this address, select the events checkout.session.*, refund.*, charge.refunded and charge.dispute.*, then reveal the signing secret.",
      zh: "Stripe 管理平台 › 开发者 › Webhook › 添加端点：填写此地址，选择 checkout.session.*、refund.*、charge.refunded 和 charge.dispute.* 事件，然后显示签名密钥。",
    }),
  },
};

/** The smallest amount that can be expressed in Stripe's format. */
function oneUnit(currency: string): number {
  return Math.ceil(isoOf(stripeDecimals(currency) === 3 ? 10 : 1, currency));
}

function isoOf(wire: number, currency: string): number {
  return wire * 10 ** (currencyExponent(currency) - stripeDecimals(currency));
}
