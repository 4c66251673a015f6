import type { PersonalMethod } from "#gateways/index.ts";
import { defineWords } from "#platform/index.ts";

/** Alipay's personal and small-business codes. */
export const alipay = {
  kind: "personal_qr",
  name: "alipay",
  gateway: "alipay",
  channel: "alipay",
  currencies: ["CNY"],
  names: defineWords({ en: "Alipay", zh: "支付宝" }),
  codeNames: defineWords({ en: "Alipay QR transfer", zh: "支付宝扫码转账" }),
  tile: {
    colour: "#1677ff",
    sign: '<path d="M6 6.5h12M12 4.5v6M7.5 10.5h9c-.8 3.8-4 7.2-9 8.5M8.5 12.5c2 3.2 5 5.4 9 6.5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>',
  },
  app: {
    id: "alipay",
    names: defineWords({ en: "Alipay", zh: "支付宝" }),
    browserOf: (agent) => (/AlipayClient|AliApp\(AP/i.test(agent) ? "phone" : null),
    scans: "pressed_or_saved",
    address: null,
    addressOf: (payload) => `alipays://platformapi/startapp?saId=10000007&qrcode=${encodeURIComponent(payload)}`,
  },
  /** A code with a valid form that belongs to no one, for demos. */
  sample: "https://qr.alipay.com/fkx00000tillpostdemo0000",
} as const satisfies PersonalMethod & { sample: string };
