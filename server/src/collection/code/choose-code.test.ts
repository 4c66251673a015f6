import { describe, expect, test } from "vitest";
import type { AppError } from "#platform/index.ts";
import type { Channel } from "../channels.ts";
import { chooseCode } from "./choose-code.ts";
import { identifyCode } from "./identify-code.ts";

const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ1";
const alipay = "https://qr.alipay.com/fkx012345abcdefghijk";
const choose = (channel: Channel, ...texts: string[]) => chooseCode({ channel, texts, param: "qr_payload" });

const accepted: [Channel, kind: string, string, string][] = [
  ["wechat", "personal", "a personal code", wechat],
  ["wechat", "personal", "a longer personal code", `wxp://f2f0${"aB3".repeat(20)}`],
  ["wechat", "personal", "a code of 48 signs that ends in =", `wxp://f2f0${"aB3-_".repeat(9).slice(0, 43)}=`],
  ["wechat", "personal", "a code of the other scene", "wxp://wbf2f0AbCdEfGh1234567890-_xyz"],
  ["wechat", "personal", "an address of the first host", "https://payapp.weixin.qq.com/qr/AQFaBcD12?t=AbC#wechat_pay"],
  ["wechat", "personal", "an address of the second host", "https://payapp.wechatpay.cn/qr/AQFaBcD12eFgHiJkLmNo"],
  ["wechat", "personal", "an old personal code", "https://wx.tenpay.com/f2f?t=AQAAABx"],
  ["wechat", "business", "a business code of the first host", "https://payapp.weixin.qq.com/sjt/qr/AQFaBcD12eFgHiJkLmNo"],
  ["wechat", "business", "a business code of the second host", "https://payapp.wechatpay.cn/sjt/qr/AQFaBcD12eFgHiJkLmNo"],
  ["wechat", "fixed_amount", "a code with an amount", "wxp://f2f1AbCdEfGh1234567890-_xyzXYZ1"],
  ["alipay", "personal", "a personal code", alipay],
  ["alipay", "personal", "a printed code", "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ"],
  ["alipay", "personal", "a code with a time", "https://qr.alipay.com/tsx012345abcdefghijk?t=1700000000000"],
  ["alipay", "personal", "a code with its source", "https://qr.alipay.com/fkx012345abcdefghijk?_s=web-other&t=1700000000000"],
  ["alipay", "personal", "an old personal code", "https://qr.alipay.com/apa1b2c3d4e5f6g7h8"],
  ["alipay", "business", "a shop's code", "https://qr.alipay.com/stx012345abcdefghijk"],
];
describe("accepts", () => {
  test.each(accepted)("of %s, as %s: %s", (channel, kind, _what, text) => {
    expect(choose(channel, text)).toEqual({ payload: text, channel, kind });
  });
});

const pasted: [string, string][] = [
  ["blanks", `  ${wechat}  `],
  ["a line end", `${wechat}\r\n`],
  ["line ends on both sides", `\n\n\t${wechat}\n`],
  ["wide blanks", `\u3000${wechat}\u00a0`],
  ["invisible signs", `\ufeff\u200b${wechat}\u200e\u2060`],
  ["quotes", `"${wechat}"`],
  ["curly quotes", `“${wechat}”`],
  ["Chinese quotes", `「${wechat}」`],
  ["angle brackets", `<${wechat}>`],
  ["Chinese brackets and a full stop", `【${wechat}】。`],
  ["brackets of a note", `(${wechat}),`],
  ["marks of code", `\`${wechat}\``],
  ["a pointing hand", `👉 ${wechat} 👈`],
];
test.each(pasted)("accepts a text that was pasted with %s around it, without them", (_what, text) => {
  expect(choose("wechat", text).payload).toBe(wechat);
});

const refused: [Channel, string, string, code: string, reason: string][] = [
  ["wechat", "an order's code", "weixin://wxpay/bizpayurl?pr=AbC123", "qr_order_bound", "order_bound"],
  [
    "wechat",
    "an order's page",
    "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=2",
    "qr_order_bound",
    "order_bound",
  ],
  ["wechat", "an order's code of the other wallet", "https://qr.alipay.com/bax012345abcdefghij", "qr_order_bound", "order_bound"],
  ["alipay", "an order's code", "https://qr.alipay.com/bax012345abcdefghij", "qr_order_bound", "order_bound"],
  ["alipay", "an order's code in capitals", "HTTPS://QR.ALIPAY.COM/BAX012345ABCDEFGHIJ", "qr_order_bound", "order_bound"],
  [
    "alipay",
    "a trade's address",
    "https://qr.alipay.com/_d?_b=TRADE_DY&mergeOrder=false&tradeNo=2026112200001",
    "qr_order_bound",
    "order_bound",
  ],
  [
    "alipay",
    "a payment on someone's behalf",
    "https://qr.alipay.com/_d?_b=peerpay&enableWK=YES&biz_no=20261122",
    "qr_order_bound",
    "order_bound",
  ],
  ["alipay", "an order's address with its type later", "https://qr.alipay.com/_d?v=1&_b=TRADE_DY", "qr_order_bound", "order_bound"],
  ["alipay", "a checkout of a merchant", "https://openapi.alipay.com/gateway.do?method=x", "qr_order_bound", "order_bound"],
  ["wechat", "a payment code", "134567890123456789", "qr_payment_code", "payment_code"],
  ["wechat", "a payment code as it is printed", "1345 6789 0123 4567 89", "qr_payment_code", "payment_code"],
  ["alipay", "a payment code", "281234567890123456", "qr_payment_code", "payment_code"],
  ["alipay", "a payment code of the other wallet", "101234567890123456", "qr_payment_code", "payment_code"],
  ["wechat", "a red packet", "wxhb://f2f0AbCdEfGh1234567890", "qr_channel_mismatch", "red_packet"],
  ["alipay", "a red packet", "https://qr.alipay.com/c1x012345abcdefghijk", "qr_channel_mismatch", "red_packet"],
  ["alipay", "a red packet in capitals", "HTTPS://QR.ALIPAY.COM/C1X012345ABCDEFGHIJK", "qr_channel_mismatch", "red_packet"],
  ["wechat", "the other wallet's code", alipay, "qr_channel_mismatch", "other_channel"],
  ["alipay", "the other wallet's code", wechat, "qr_channel_mismatch", "other_channel"],
  ["alipay", "the other wallet's business code", "https://payapp.wechatpay.cn/sjt/qr/AQFaBcD12eFg", "qr_channel_mismatch", "other_channel"],
  ["alipay", "a sign-in", "https://qr.alipay.com/_d?_b=PAI_LOGIN_DY&securityId=web", "qr_channel_mismatch", "not_receiving"],
  ["alipay", "a person's page", "https://qr.alipay.com/a6x012345abcdefghijk", "qr_channel_mismatch", "not_receiving"],
  ["alipay", "a page of the app", "alipays://platformapi/startapp?appId=20000123", "qr_channel_mismatch", "not_receiving"],
  ["alipay", "a longer path on the right host", "https://qr.alipay.com/fkx012345abcdefghijk/more", "qr_channel_mismatch", "not_receiving"],
  ["alipay", "no path on the right host", "https://qr.alipay.com/", "qr_channel_mismatch", "not_receiving"],
  ["alipay", "a loose path on the right host", "https://qr.alipay.com/somewhere0else", "qr_channel_mismatch", "not_receiving"],
  [
    "alipay",
    "a foreign parameter",
    "https://qr.alipay.com/fkx012345abcdefghijk?redirect=https://example.com",
    "qr_channel_mismatch",
    "not_receiving",
  ],
  [
    "alipay",
    "a foreign parameter behind a known one",
    "https://qr.alipay.com/fkx012345abcdefghijk?t=1&goto=x",
    "qr_channel_mismatch",
    "not_receiving",
  ],
  ["alipay", "no encryption", "http://qr.alipay.com/fkx012345abcdefghijk", "qr_channel_mismatch", "not_receiving"],
  ["wechat", "a loose path on the right host", "https://payapp.weixin.qq.com/qr/../x/AQFaBcD12", "qr_channel_mismatch", "not_receiving"],
  [
    "wechat",
    "another page on the right host",
    "https://payapp.wechatpay.cn/materialqr/entry/home?id=1",
    "qr_channel_mismatch",
    "not_receiving",
  ],
  [
    "wechat",
    "a foreign parameter",
    "https://payapp.weixin.qq.com/qr/AQFaBcD12?url=https://example.com",
    "qr_channel_mismatch",
    "not_receiving",
  ],
  ["wechat", "a foreign parameter of the old form", "https://wx.tenpay.com/f2f?t=AQAAABx&next=x", "qr_channel_mismatch", "not_receiving"],
  ["wechat", "a cut code", "wxp://f2f0AbC", "qr_channel_mismatch", "not_receiving"],
  ["wechat", "a code with signs that none has", "wxp://f2f0AbCdEfGh1234567890-_xyz/../xyz", "qr_channel_mismatch", "not_receiving"],
  ["wechat", "a code to add a friend", "https://u.wechat.com/AbCdEf", "qr_channel_mismatch", "other_content"],
  ["wechat", "a code whose case was lost", "WXP://F2F0ABCDEFGH1234567890-_XYZXYZ1", "qr_channel_mismatch", "other_content"],
  ["alipay", "a look-alike host", "https://qr.alipay.com.example/fkx012345abcdefghijk", "qr_channel_mismatch", "other_content"],
  ["alipay", "a host before the host", "https://qr.alipay.com@example.com/fkx012345abc", "qr_channel_mismatch", "other_content"],
  ["alipay", "a port of the host", "https://qr.alipay.com:8443/fkx012345abcdefghijk", "qr_channel_mismatch", "other_content"],
  ["alipay", "a plain address", "https://example.com", "qr_channel_mismatch", "other_content"],
  ["alipay", "a second line", `${alipay}\nhttps://example.com`, "qr_channel_mismatch", "other_content"],
  ["wechat", "nothing", "", "qr_channel_mismatch", "other_content"],
  ["wechat", "blanks", " \n ", "qr_channel_mismatch", "other_content"],
  ["wechat", "a number that is no payment code", "164567890123456789", "qr_channel_mismatch", "other_content"],
  ["wechat", "far too much", `wxp://f2f0${"a".repeat(5000)}`, "qr_channel_mismatch", "other_content"],
];
describe("refuses with a specific reason", () => {
  test.each(refused)("for %s: %s", (channel, _what, text, code, reason) => {
    const error = catching(() => choose(channel, text));
    expect([error.code, error.extras.fields?.reason]).toEqual([code, reason]);
  });
});

describe("of several codes in one picture", () => {
  test("takes the only one that receives money on the channel", () => {
    expect(choose("wechat", alipay, wechat, "https://u.wechat.com/AbCdEf").payload).toBe(wechat);
    expect(choose("alipay", wechat, alipay, "https://qr.alipay.com/c1x012345abcdefghijk").payload).toBe(alipay);
  });

  test("treats one text that was read twice as one", () => {
    expect(choose("wechat", wechat, `${wechat}\n`).payload).toBe(wechat);
  });

  test("prefers neither of two that both do", () => {
    const error = catching(() => choose("wechat", wechat, `${wechat}2`, alipay));
    expect([error.code, error.extras.fields?.reason]).toEqual(["qr_not_decodable", "several_codes"]);
  });

  test.each([
    ["payment_code", ["https://example.com", alipay, "134567890123456789"]],
    ["order_bound", ["https://example.com", alipay, "weixin://wxpay/bizpayurl?pr=AbC123"]],
    ["other_channel", ["https://example.com", alipay]],
    ["other_content", ["https://example.com", "https://example.org"]],
  ])("reports %s if none does", (reason, texts) => {
    expect(catching(() => choose("wechat", ...texts)).extras.fields?.reason).toBe(reason);
  });
});

test("determines a code's channel, whichever channel it is for", () => {
  expect([wechat, alipay, "134567890123456789", "https://example.com"].map((text) => identifyCode(text).channel)).toEqual([
    "wechat",
    "alipay",
    "wechat",
    null,
  ]);
});

function catching(work: () => void): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error("was accepted");
}
