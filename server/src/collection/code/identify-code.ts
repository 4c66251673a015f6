import type { Channel } from "../channels.ts";

/**
 * What a text turns out to be. `personal`, `business` and `fixed_amount` receive money; `order` pays one order; `payment_code` pays with
 * the money of the person who shows it; `other_page` belongs to a wallet but does something else; `other` is none of these.
 */
export const codeKinds = ["personal", "business", "fixed_amount", "order", "red_packet", "payment_code", "other_page", "other"] as const;
export type CodeKind = (typeof codeKinds)[number];

export interface IdentifiedCode {
  /**
   * The text without what pasting added around it, otherwise unchanged: WeChat's codes are case-sensitive, printed Alipay codes are in
   * capitals.
   */
  payload: string;
  /** The wallet of the code, as far as the text shows it. */
  channel: Channel | null;
  kind: CodeKind;
}

const lengthMax = 500;

type Shape = readonly [Channel, CodeKind, RegExp];

/** In the order in which they are tried. The last lines match any other text of a wallet: it does something else. */
const schemes: readonly Shape[] = [
  ["wechat", "order", /^weixin:\/\/wxpay\/bizpayurl/i],
  ["wechat", "red_packet", /^wxhb:\/\//i],
  ["wechat", "fixed_amount", /^wxp:\/\/f2f1[A-Za-z0-9_-]{19,119}={0,2}$/],
  ["wechat", "personal", /^wxp:\/\/(?:wb)?f2f[A-Za-z0-9_-]{20,120}={0,2}$/],
  ["wechat", "other_page", /^(?:wxp|weixin):\/\/[a-z]/],
  ["alipay", "other_page", /^alipay(?:s|qr)?:\/\//i],
];

/** The same for URLs: host, path, and what may follow the path. */
const pages: readonly (readonly [Channel, CodeKind, host: RegExp, path: RegExp, rest: RegExp])[] = [
  [
    "wechat",
    "business",
    /^payapp\.(?:weixin\.qq\.com|wechatpay\.cn)$/,
    /^\/sjt\/qr\/[A-Za-z0-9_-]{8,128}={0,2}$/,
    /^(?:\?t=[\w%=-]{1,100})?(?:#wechat_pay)?$/,
  ],
  [
    "wechat",
    "personal",
    /^payapp\.(?:weixin\.qq\.com|wechatpay\.cn)$/,
    /^\/qr\/[A-Za-z0-9_-]{8,128}={0,2}$/,
    /^(?:\?t=[\w%=-]{1,100})?(?:#wechat_pay)?$/,
  ],
  ["wechat", "personal", /^wx\.tenpay\.com$/, /^\/f2f$/, /^\?t=[\w%=-]{4,200}$/],
  ["wechat", "order", /^wx\.tenpay\.com$/, /^\/cgi-bin\//, /^/],
  ["alipay", "order", /^qr\.alipay\.com$/, /^\/bax/i, /^/],
  ["alipay", "other_page", /^qr\.alipay\.com$/, /^\/_d$/, /^\?_b=PAI_LOGIN/],
  ["alipay", "order", /^qr\.alipay\.com$/, /^\/_d$/, /[?&]_b=/],
  ["alipay", "order", /^(?:mclient|excashier\w{0,9}|cashier\w{0,9}|openapi)\.alipay\.com$/, /^\//, /^/],
  ["alipay", "red_packet", /^qr\.alipay\.com$/, /^\/c1x/i, /^/],
  ["alipay", "business", /^qr\.alipay\.com$/, /^\/stx\d{5}[a-z0-9]{8,20}$/i, /^(?:\?(?:(?:t|_s|_t)=[\w.%-]{0,64}(?:&|$)){1,3})?$/i],
  [
    "alipay",
    "personal",
    /^qr\.alipay\.com$/,
    /^\/(?:[a-z]{3}\d{5}[a-z0-9]{8,20}|ap[a-z0-9]{16})$/i,
    /^(?:\?(?:(?:t|_s|_t)=[\w.%-]{0,64}(?:&|$)){1,3})?$/i,
  ],
  ["wechat", "other_page", /^(?:payapp\.(?:weixin\.qq\.com|wechatpay\.cn)|(?:[a-z0-9-]{1,40}\.)?tenpay\.com)$/, /^/, /^/],
  ["alipay", "other_page", /^(?:[a-z0-9-]{1,40}\.)?alipay\.com$/, /^/, /^/],
];

const address = /^https?:\/\/([a-z0-9.-]{1,253})(\/[!-"$->@-~]*)?([?#][!-~]*)?$/i;
const secureAddress = /^https:/i;

/** Classifies the text of a code by its form only, without any request. */
export function identifyCode(text: string): IdentifiedCode {
  const payload = withoutEdges(text);
  const [channel, kind] = payload.length > lengthMax ? nothing : (ofDigits(payload) ?? ofScheme(payload) ?? ofAddress(payload) ?? nothing);
  return { payload, channel, kind };
}

const nothing = [null, "other"] as const;

/** The digits below the bar code that a buyer shows at a till: within a minute, they can be used to take money. */
function ofDigits(payload: string): readonly [Channel, CodeKind] | undefined {
  const digits = payload.replaceAll(/[\s-]/g, "");
  if (/^1[0-5]\d{16}$/.test(digits)) return ["wechat", "payment_code"];
  if (/^(?:2[5-9]|30)\d{14,22}$/.test(digits)) return ["alipay", "payment_code"];
  return undefined;
}

function ofScheme(payload: string): readonly [Channel, CodeKind] | undefined {
  const found = schemes.find(([, , shape]) => shape.test(payload));
  return found === undefined ? undefined : [found[0], found[1]];
}

function ofAddress(payload: string): readonly [Channel, CodeKind] | undefined {
  const [, host = "", path = "", rest = ""] = address.exec(payload) ?? [];
  if (host === "") return undefined;
  const found = pages.find(([, , hosts, paths, rests]) => hosts.test(host.toLowerCase()) && paths.test(path) && rests.test(rest));
  if (found === undefined) return undefined;
  // The wallets only write their codes with https; without it the text was retyped, or leads elsewhere.
  return secureAddress.test(payload) ? [found[0], found[1]] : [found[0], "other_page"];
}

/**
 * Blanks, line ends, invisible characters, quotes, brackets and full stops: what copying from a chat or a document leaves around a text.
 */
const edge = /^[\p{C}\p{Z}\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>*.,:;!?，。：；！？、·~|]$/u;

/** Character by character, because a pattern that searches for its end again from every blank takes quadratic time. */
function withoutEdges(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && edge.test(text.charAt(from))) from += 1;
  while (to > from && edge.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
