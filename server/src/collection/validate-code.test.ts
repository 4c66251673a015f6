import { describe, expect, test } from "vitest";
import type { AppError } from "#platform/index.ts";
import type { Channel } from "./channels.ts";
import { validateCode } from "./validate-code.ts";

const accepted: [Channel, string, string][] = [
  ["wechat", "a personal code", "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ1"],
  ["wechat", "a longer personal code", `wxp://f2f0${"aB3".repeat(20)}`],
  ["wechat", "a code of the other scene", "wxp://wbf2f0AbCdEfGh1234567890-_xyz"],
  ["wechat", "a code of a small merchant", "https://payapp.weixin.qq.com/qr/AQFaBcD12?t=AbC#wechat_pay"],
  ["wechat", "an old personal code", "https://wx.tenpay.com/f2f?t=AQAAABx"],
  ["alipay", "a personal code", "https://qr.alipay.com/fkx012345abcdefghijk"],
  ["alipay", "a printed code", "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ"],
  ["alipay", "a code with a time", "https://qr.alipay.com/tsx012345abcdefghijk?t=1700000000000"],
];
for (const [channel, what, text] of accepted) {
  test(`takes ${what} of ${channel}`, () => expect(validateCode(channel, text)).toBeUndefined());
}

const refused: [Channel, string, string, code: string, reason: string][] = [
  ["wechat", "an order's code", "weixin://wxpay/bizpayurl?pr=AbC123", "qr_order_bound", "order_bound"],
  ["wechat", "an order's code of the other wallet", "https://qr.alipay.com/bax012345abcdefghij", "qr_order_bound", "order_bound"],
  ["alipay", "an order's code", "https://qr.alipay.com/bax012345abcdefghij", "qr_order_bound", "order_bound"],
  ["alipay", "an order's code in capitals", "HTTPS://QR.ALIPAY.COM/BAX012345ABCDEFGHIJ", "qr_order_bound", "order_bound"],
  ["wechat", "a red packet", "wxhb://f2f0AbCdEfGh1234567890", "qr_channel_mismatch", "red_packet"],
  ["wechat", "the other wallet's code", "https://qr.alipay.com/fkx012345abcdefghijk", "qr_channel_mismatch", "other_channel"],
  ["alipay", "the other wallet's code", "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ1", "qr_channel_mismatch", "other_channel"],
  ["wechat", "a code to add a friend", "https://u.wechat.com/AbCdEf", "qr_channel_mismatch", "other_content"],
  ["wechat", "a code whose case was lost", "WXP://F2F0ABCDEFGH1234567890-_XYZXYZ1", "qr_channel_mismatch", "other_content"],
  ["alipay", "a look-alike host", "https://qr.alipay.com.example/fkx012345abcdefghijk", "qr_channel_mismatch", "other_content"],
  ["alipay", "a host before the host", "https://qr.alipay.com@example.com/fkx012345abc", "qr_channel_mismatch", "other_content"],
  ["alipay", "a plain address", "https://example.com", "qr_channel_mismatch", "other_content"],
  ["alipay", "a second line", "https://qr.alipay.com/fkx012345abcdefghijk\nhttps://example.com", "qr_channel_mismatch", "other_content"],
  ["wechat", "nothing", "", "qr_channel_mismatch", "other_content"],
  ["wechat", "far too much", `wxp://f2f0${"a".repeat(5000)}`, "qr_channel_mismatch", "other_content"],
];
describe("refuses with a reason of its own", () => {
  for (const [channel, what, text, code, reason] of refused) {
    test(`${what} for ${channel}`, () => {
      const error = catching(() => validateCode(channel, text));
      expect([error.code, error.extras.fields?.reason]).toEqual([code, reason]);
    });
  }
});

function catching(work: () => void): AppError {
  try {
    work();
  } catch (error) {
    return error as AppError;
  }
  throw new Error("was accepted");
}
