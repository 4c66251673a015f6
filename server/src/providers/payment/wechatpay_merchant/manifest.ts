import type { CredentialField, GatewayManifest } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";

const host = "https://api.mch.weixin.qq.com";
/** Amounts are 32-bit integers of fen. */
const maxFen = 2_147_483_647;

const field = (
  name: string,
  given: Omit<CredentialField, "name" | "secret" | "required" | "multiline">,
  shape: Partial<CredentialField> = {},
) => ({ name, secret: false, required: true, multiline: false, ...given, ...shape }) satisfies CredentialField;

const fields: readonly CredentialField[] = [
  field("mchid", {
    names: defineWords({ en: "Merchant ID (商户号)", zh: "商户号" }),
    hints: defineWords({
      en: "pay.weixin.qq.com › 账户中心 › 商户信息 › 微信支付商户号: usually ten digits.",
      zh: "商户平台 › 账户中心 › 商户信息 › 微信支付商户号，一般为 10 位数字。",
    }),
  }),
  field("appid", {
    names: defineWords({ en: "AppID", zh: "AppID" }),
    hints: defineWords({
      en: "The AppID of the official account, mini program or app bound to the merchant ID: 产品中心 › AppID账号管理. Starts with wx.",
      zh: "与商户号绑定的公众号、小程序或应用的 AppID，以 wx 开头：商户平台 › 产品中心 › AppID账号管理。",
    }),
  }),
  field("certificate_serial", {
    names: defineWords({ en: "Serial number of the merchant API certificate", zh: "商户 API 证书序列号" }),
    hints: defineWords({
      en: "账户中心 › API安全 › 商户API证书 › 管理证书: 40 characters of 0-9 and A-F.",
      zh: "商户平台 › 账户中心 › API安全 › 商户API证书 › 管理证书，为 40 位十六进制字符。",
    }),
  }),
  field(
    "private_key",
    {
      names: defineWords({ en: "Merchant private key", zh: "商户 API 私钥" }),
      hints: defineWords({
        en: "The full contents of apiclient_key.pem, which you got when you applied for the merchant API certificate.",
        zh: "申请商户 API 证书时得到的 apiclient_key.pem 文件的全部内容。",
      }),
    },
    { secret: true, multiline: true },
  ),
  field(
    "api_v3_key",
    {
      names: defineWords({ en: "APIv3 key", zh: "APIv3 密钥" }),
      hints: defineWords({
        en: "The 32 characters you set at 账户中心 › API安全 › APIv3密钥. The page doesn't show them again.",
        zh: "在 商户平台 › 账户中心 › API安全 › APIv3密钥 中设置的 32 个字符，设置后平台不再显示。",
      }),
    },
    { secret: true },
  ),
  field(
    "public_key_id",
    {
      names: defineWords({ en: "WeChat Pay public key ID", zh: "微信支付公钥 ID" }),
      hints: defineWords({
        en: "账户中心 › API安全 › 微信支付公钥: starts with PUB_KEY_ID_. Only leave it blank if your account still uses platform certificates (平台证书).",
        zh: "商户平台 › 账户中心 › API安全 › 微信支付公钥，以 PUB_KEY_ID_ 开头。仅当商户号仍在使用平台证书时才可留空。",
      }),
    },
    { required: false },
  ),
  field(
    "public_key",
    {
      names: defineWords({ en: "WeChat Pay public key", zh: "微信支付公钥" }),
      hints: defineWords({
        en: "The full contents of pub_key.pem, downloaded from the same page as its ID.",
        zh: "在同一页面下载的 pub_key.pem 文件的全部内容。",
      }),
    },
    { required: false, multiline: true },
  ),
  field(
    "h5",
    {
      names: defineWords({ en: "H5 payments (on or off)", zh: "H5 支付（on 或 off）" }),
      hints: defineWords({
        en: "Enter “on” once H5支付 is approved at 产品中心 and this server's domain is entered at 产品中心 › 开发配置 › H5支付. Phone browsers then open WeChat directly.",
        zh: "在 产品中心 开通“H5支付”，并在 产品中心 › 开发配置 › H5支付 中填写本服务器的域名后填 on，手机浏览器即可直接拉起微信。",
      }),
    },
    { required: false },
  ),
  field(
    "app_secret",
    {
      names: defineWords({ en: "AppSecret of the official account", zh: "公众号 AppSecret" }),
      hints: defineWords({
        en: "For payments inside WeChat (JSAPI支付): the AppID must belong to a verified service account (服务号). mp.weixin.qq.com › 设置与开发 › 开发接口管理 › 基本配置 › AppSecret: 32 characters, shown only once. See the guide for the domains to enter.",
        zh: "用于在微信内直接支付（JSAPI 支付），AppID 须为已认证的服务号。公众平台 › 设置与开发 › 开发接口管理 › 基本配置 › AppSecret，为 32 位字符，仅显示一次。需要填写的域名见文档。",
      }),
    },
    { secret: true, required: false },
  ),
];

export const manifest: GatewayManifest = {
  method: {
    kind: "gateway",
    name: "wechatpay_merchant",
    gateway: "wechatpay_merchant",
    currencies: ["CNY"],
    names: defineWords({ en: "WeChat Pay", zh: "微信支付" }),
    tile: {
      colour: "#07c160",
      sign: '<path d="M10 5.5c-3.3 0-6 2.1-6 4.7 0 1.5.9 2.8 2.3 3.7L5.8 16l2.3-1.2c.6.1 1.2.2 1.9.2 3.3 0 6-2.1 6-4.8s-2.7-4.7-6-4.7z"/><path d="M17.2 11.6c0 3-2.9 5.1-5.9 5.3.9 1 2.4 1.6 4 1.6.5 0 1-.1 1.5-.2l1.9 1-.4-1.7c1.1-.7 1.8-1.7 1.8-2.9 0-1.3-1.1-2.5-2.9-3.1z" opacity=".75"/>',
    },
    // The wallet app's scanning rules of the personal code don't apply: WeChat accepts this gateway's codes only from the camera.
    app: null,
    codesForCameraOnly: true,
  },
  fields,
  hosts: { live: host, test: host },
  limits: { minMinor: () => 1, maxMinor: () => maxFen, stepMinor: () => 1 },
  // The end must be at least a minute ahead when WeChat Pay reads it; the second minute is for latency.
  lifetime: { minSeconds: 120, maxSeconds: 7 * 86_400 },
  refundDays: 365,
  callbackPerPayment: true,
  callbackEvents: ["TRANSACTION.SUCCESS", "REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED"],
};
