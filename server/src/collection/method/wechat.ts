import type { PersonalMethod } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";

/** WeChat's personal and small-business codes. */
export const wechat = {
  kind: "personal_qr",
  name: "wechatpay",
  gateway: "wechatpay",
  channel: "wechat",
  currencies: ["CNY"],
  names: defineWords({ en: "WeChat Pay", zh: "微信支付" }),
  codeNames: defineWords({ en: "WeChat QR transfer", zh: "微信扫码转账" }),
  tile: {
    colour: "#07c160",
    sign: '<path d="M10 5.5c-3.3 0-6 2.1-6 4.7 0 1.5.9 2.8 2.3 3.7L5.8 16l2.3-1.2c.6.1 1.2.2 1.9.2 3.3 0 6-2.1 6-4.8s-2.7-4.7-6-4.7z"/><path d="M17.2 11.6c0 3-2.9 5.1-5.9 5.3.9 1 2.4 1.6 4 1.6.5 0 1-.1 1.5-.2l1.9 1-.4-1.7c1.1-.7 1.8-1.7 1.8-2.9 0-1.3-1.1-2.5-2.9-3.1z" opacity=".75"/>',
  },
  app: {
    id: "wechat",
    names: defineWords({ en: "WeChat", zh: "微信" }),
    // WeCom's user agent contains MicroMessenger too, but it can do little of what WeChat can.
    browserOf: (agent) =>
      !/MicroMessenger/i.test(agent) || /wxwork/i.test(agent) ? null : /WindowsWechat|MacWechat/i.test(agent) ? "desktop" : "phone",
    scans: "pressed",
    address: "weixin://",
  },
  /** A code with a valid form that belongs to no one, for demos. */
  sample: "wxp://f2f0TILLPOSTdemoTILLPOSTdemoTILLPOSTdemo",
} as const satisfies PersonalMethod & { sample: string };
