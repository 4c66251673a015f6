import type { CredentialField, GatewayManifest } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";

type Field = Omit<CredentialField, "name">;

const plain = { secret: false, required: true, multiline: false };
const pem = { secret: false, required: false, multiline: true };

/** The values of the field `desktop`; the first is the default. */
export const desktopWays = ["code", "page"] as const;

const desktopNames = {
  code: defineWords({ en: "QR code that buyers scan with Alipay", zh: "用支付宝扫码付款" }),
  page: defineWords({ en: "Alipay's page, where buyers scan or sign in", zh: "跳转到支付宝收银台，可扫码或登录付款" }),
};

const fields: Readonly<Record<string, Field>> = {
  app_id: {
    ...plain,
    names: defineWords({ en: "App ID", zh: "应用 APPID" }),
    hints: defineWords({
      en: "16 digits. Alipay Open Platform (open.alipay.com) › Console › your web or mobile app. For testing: Console › Sandbox.",
      zh: "16 位数字。登录支付宝开放平台 open.alipay.com › 控制台 › 网页/移动应用，应用名称下方。测试账号见“控制台 › 沙箱”。",
    }),
  },
  seller_id: {
    ...plain,
    names: defineWords({ en: "Merchant PID", zh: "商家账号 PID" }),
    hints: defineWords({
      en: "The Alipay account that receives the money: 16 digits starting with 2088. Open Platform › Account center › Key management › PID; in the sandbox: Sandbox accounts › Merchant.",
      zh: "以 2088 开头的 16 位数字，即收款的支付宝账号。开放平台 › 账户中心 › 密钥管理 › PID；沙箱环境见“沙箱账号 › 商家信息”。",
    }),
  },
  private_key: {
    ...plain,
    secret: true,
    multiline: true,
    names: defineWords({ en: "App private key", zh: "应用私钥" }),
    hints: defineWords({
      en: "The RSA2 (2048-bit) private key you created with Alipay's key tool. PKCS#1 or PKCS#8, with or without the BEGIN and END lines.",
      zh: "用支付宝密钥工具生成的 RSA2（2048 位）应用私钥。PKCS#1 或 PKCS#8 均可，有无 BEGIN/END 行均可。",
    }),
  },
  alipay_public_key: {
    ...plain,
    multiline: true,
    names: defineWords({ en: "Alipay public key or certificate", zh: "支付宝公钥或支付宝公钥证书" }),
    hints: defineWords({
      en: "App › Development settings › API signing method. Key mode: the Alipay public key, not your app's. Certificate mode: the contents of alipayCertPublicKey_RSA2.crt; when Alipay renews it, paste the new one after the old one.",
      zh: "应用详情 › 开发设置 › 接口加签方式。公钥模式：填“支付宝公钥”（不是应用公钥）。证书模式：填 alipayCertPublicKey_RSA2.crt 的内容；支付宝更新证书后，请将新证书粘贴在旧证书之后。",
    }),
  },
  app_cert: {
    ...pem,
    names: defineWords({ en: "App certificate", zh: "应用公钥证书" }),
    hints: defineWords({
      en: "Certificate mode only: the contents of appCertPublicKey_<App ID>.crt. Leave it blank in key mode.",
      zh: "仅证书模式需要：appCertPublicKey_应用APPID.crt 的内容。公钥模式请留空。",
    }),
  },
  alipay_root_cert: {
    ...pem,
    names: defineWords({ en: "Alipay root certificate", zh: "支付宝根证书" }),
    hints: defineWords({
      en: "Certificate mode only: the full contents of alipayRootCert.crt. Leave it blank in key mode.",
      zh: "仅证书模式需要：alipayRootCert.crt 的全部内容。公钥模式请留空。",
    }),
  },
  desktop: {
    ...plain,
    required: false,
    names: defineWords({ en: "Payments on computers", zh: "电脑端付款方式" }),
    hints: defineWords({
      en: "Depends on what your contract with Alipay includes: 当面付 (in-person payment) for the QR code, 电脑网站支付 (website payment) for Alipay's page.",
      zh: "取决于您与支付宝签约的产品：扫码付款需开通“当面付”，支付宝收银台需开通“电脑网站支付”。",
    }),
    choices: desktopWays.map((value) => ({ value, names: desktopNames[value] })),
  },
};

/** Alipay's OpenAPI (version 2 of its gateway) with a merchant's own contract; signed only with RSA2. */
export const manifest: GatewayManifest = {
  method: {
    kind: "gateway",
    name: "alipay_merchant",
    gateway: "alipay_merchant",
    currencies: ["CNY"],
    names: defineWords({ en: "Alipay", zh: "支付宝" }),
    tile: {
      colour: "#1677ff",
      sign: '<path d="M6 6.5h12M12 4.5v6M7.5 10.5h9c-.8 3.8-4 7.2-9 8.5M8.5 12.5c2 3.2 5 5.4 9 6.5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>',
    },
    app: null,
  },
  fields: Object.entries(fields).map(([name, field]) => ({ name, ...field })),
  hosts: { live: "https://openapi.alipay.com", test: "https://openapi-sandbox.dl.alipaydev.com" },
  limits: { minMinor: () => 1, maxMinor: () => 10_000_000_000, stepMinor: () => 1 },
  lifetime: { minSeconds: 60, maxSeconds: 15 * 86_400 },
  // Three months unless the merchant's contract allows more; a year is the longest possible.
  refundDays: 365,
  callbackPerPayment: true,
  callbackEvents: [
    "trade_status_sync.TRADE_SUCCESS",
    "trade_status_sync.TRADE_FINISHED",
    "trade_status_sync.TRADE_CLOSED",
    "trade_status_sync.WAIT_BUYER_PAY",
  ],
};
