import type { CredentialField, GatewayManifest } from "#gateways/index.ts";
import { defineWords, maxAmountMinor } from "#platform/index.ts";
import { amounts } from "./amounts.ts";

type Field = Omit<CredentialField, "name">;

const plain = { secret: false, required: true, multiline: false };
const hidden = { secret: true, required: true, multiline: false };

const fields: Readonly<Record<string, Field>> = {
  base_url: {
    ...plain,
    names: defineWords({ en: "Server address", zh: "服务器地址" }),
    hints: defineWords({
      en: "The address where you open your BTCPay Server, such as https://btcpay.example.com.",
      zh: "您的 BTCPay Server 的访问地址，例如 https://btcpay.example.com。",
    }),
  },
  store_id: {
    ...plain,
    names: defineWords({ en: "Store ID", zh: "商店 ID" }),
    hints: defineWords({
      en: "BTCPay Server › your store › Settings › General › Store ID.",
      zh: "BTCPay Server › 您的商店 › 设置 › 常规 › 商店 ID（Store ID）。",
    }),
  },
  api_key: {
    ...hidden,
    names: defineWords({ en: "API key", zh: "API 密钥" }),
    hints: defineWords({
      en: "Account › Manage account › API keys › Generate key, for this store only, with: View invoices, Create an invoice, Modify invoices, View, Create and Archive pull payments.",
      zh: "账户 › 管理账户 › API 密钥 › 生成密钥，仅限此商店，勾选：查看发票、创建发票、修改发票、查看、创建与归档拉取支付（pull payments）。",
    }),
  },
  webhook_secret: {
    ...hidden,
    required: false,
    names: defineWords({ en: "Webhook secret", zh: "Webhook 密钥" }),
    hints: defineWords({
      en: "BTCPay Server shows it when you create the webhook with this account's callback address. Leave it blank until then.",
      zh: "在 BTCPay Server 用此账户的回调地址创建 Webhook 时会显示，在此之前请留空。",
    }),
  },
};

/** A merchant's own BTCPay Server, through its Greenfield API. */
export const manifest: GatewayManifest = {
  method: {
    kind: "gateway",
    name: "btcpay",
    gateway: "btcpay",
    currencies: "any",
    names: defineWords({ en: "Bitcoin", zh: "比特币" }),
    tile: {
      colour: "#0f3b21",
      sign: '<path d="M8.5 6.5h5.2a2.7 2.7 0 0 1 0 5.4H8.5zm0 5.4h6a2.8 2.8 0 0 1 0 5.6h-6zM10.5 4.5v2M13.5 4.5v2M10.5 17.5v2M13.5 17.5v2M7 6.5h1.5M7 17.5h1.5" fill="none" stroke="#cedc21" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>',
    },
    app: null,
  },
  provider: defineWords({ en: "BTCPay Server", zh: "BTCPay Server" }),
  fields: Object.entries(fields).map(([name, field]) => ({ name, ...field })),
  hosts: null,
  limits: { minMinor: amounts.stepMinor, maxMinor: () => maxAmountMinor, stepMinor: amounts.stepMinor },
  lifetime: { minSeconds: 60, maxSeconds: 30 * 86_400 },
  refundDays: null,
  // One webhook serves a whole store.
  callbackPerPayment: false,
  callbackEvents: [
    "InvoiceCreated",
    "InvoiceReceivedPayment",
    "InvoiceProcessing",
    "InvoicePaymentSettled",
    "InvoiceSettled",
    "InvoiceExpired",
    "InvoiceExpiredPaidPartial",
    "InvoicePaidAfterExpiration",
    "InvoiceInvalid",
  ],
  callbackEntry: {
    field: "webhook_secret",
    hints: defineWords({
      en: "BTCPay Server, your store › Settings › Webhooks › Create webhook: enter this address as the payload URL, leave automatic redelivery and all events on, and copy the secret.",
      zh: "BTCPay Server，您的商店 › 设置 › Webhooks › 创建 Webhook：在 Payload URL 填写此地址，保持自动重发与全部事件开启，然后复制 Secret。",
    }),
  },
};
