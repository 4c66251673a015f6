import type { GatewayManifest } from "#gateways/index.ts";
import { defineWords, maxAmountMinor } from "#platform/index.ts";

/** The currencies on Mollie's page. Each method supports fewer; Mollie's page offers those that support the payment's. */
const currencies = "AED AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS ISK JPY MXN MYR NOK NZD PHP PLN RON SEK SGD THB TWD USD ZAR".split(" ");

const fieldName = "api_key";

/** Mollie, with its hosted page. */
export const manifest: GatewayManifest = {
  method: {
    kind: "gateway",
    name: "mollie",
    gateway: "mollie",
    currencies,
    names: defineWords({ en: "iDEAL, card and more (Mollie)", zh: "iDEAL、银行卡等方式（Mollie）" }),
    tile: {
      colour: "#0b0b0b",
      sign: '<path d="M5 17v-6a3.5 3.5 0 0 1 7 0v6M12 11a3.5 3.5 0 0 1 7 0v6" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/>',
    },
    app: null,
  },
  provider: defineWords({ en: "Mollie", zh: "Mollie" }),
  fields: [
    {
      name: fieldName,
      secret: true,
      required: true,
      multiline: false,
      names: defineWords({ en: "API key", zh: "API 密钥" }),
      hints: defineWords({
        en: "Mollie Dashboard › Developers › API access tokens › Create access token › Standard API key, for the website profile that the payments belong to. Mollie shows the key once.",
        zh: "Mollie 管理后台 › Developers › API access tokens › Create access token › Standard API key：选择收款所属的网站资料（website profile）创建，密钥仅显示一次。",
      }),
    },
  ],
  hosts: { live: "https://api.mollie.com", test: "https://api.mollie.com" },
  // Methods have their own limits, which Mollie enforces; this is the most that any of them accepts, a bank transfer. In forints it would
  // be less than a card may pay.
  limits: { minMinor: () => 1, maxMinor: (currency) => (currency === "HUF" ? maxAmountMinor : 100_000_000), stepMinor: () => 1 },
  // The expiry depends on the method that the buyer chooses, from 15 minutes to 12 days for a bank transfer; it can't be set.
  lifetime: { minSeconds: 60, maxSeconds: 12 * 86_400 },
  refundDays: 365,
  callbackPerPayment: true,
  callbackEvents: ["payment"],
};
