import { externalKey } from "#collection/external-key.ts";
import { readCodes } from "#collection/reservation/read-codes.ts";
import type { RawCallback } from "#gateways/index.ts";
import { plainName } from "#notices/mail/clean-text.ts";
import { canonicalAddress, holdsAddress } from "#platform/index.ts";
import { readForm } from "#providers/payment/alipay_merchant/callback.ts";
import { callbackContent, memberText } from "#providers/payment/alipay_merchant/signature.ts";
import { hintOf as btcpayHint } from "#providers/payment/btcpay/callback.ts";
import { isSignedWith } from "#providers/payment/btcpay/signature.ts";
import { mollie } from "#providers/payment/mollie/adapter.ts";
import { hintOf as paypalHint } from "#providers/payment/paypal/callbacks.ts";
import { hintOf as razorpayHint } from "#providers/payment/razorpay/callbacks.ts";
import { isSigned as isSignedByRazorpay } from "#providers/payment/razorpay/signature.ts";
import { hintOf as stripeHint } from "#providers/payment/stripe/callbacks.ts";
import { refusalOf as stripeRefusal } from "#providers/payment/stripe/signature.ts";
import { parseBill } from "#providers/payment/wechatpay_merchant/parse-bill.ts";
import { readProof } from "#providers/payment/wechatpay_merchant/signature.ts";
import { poisonForms } from "./forms.ts";
import { type Poison, poisonTexts, someTexts, times } from "./html.ts";
import { poisonJson } from "./json.ts";
import type { LinearWork } from "./linear-reader.ts";

const callback = (text: string): RawCallback => ({
  method: "POST",
  path: "/",
  headers: {},
  body: Buffer.from(text),
  receivedAt: new Date(0),
});

const columns = "交易时间,公众账号ID,商户订单号,微信订单号,交易状态,订单金额";
const row = "`2026-11-20 12:00:00,`wx1,`order-1,`4200001,`SUCCESS,`1.00\n";
const poisonBills: Readonly<Record<string, Poison>> = {
  rows: (length) => `${columns}\n${times(row, length)}总交易单数\n`,
  "columns and rows": (length) => `${columns}${times(",-", length / 2)}\n${times(row, length / 2)}总交易单数\n`,
  "a row of many cells": (length) => `${columns}\n${times("`x,", length)}\n`,
  "empty rows": (length) => `${columns}\n${times("\n", length)}`,
};

const body = Buffer.alloc(0);
const at = new Date(0);

/** Readers of what payment providers, buyers and their wallets send. */
export const paymentWork: readonly LinearWork[] = [
  {
    name: "a form of Alipay's",
    poisons: poisonForms,
    run(text) {
      const form = readForm(Buffer.from(text));
      return form === null ? null : callbackContent(form);
    },
  },
  { name: "the signed part of Alipay's JSON", poisons: poisonJson, run: (text) => memberText(text, "a") },
  {
    name: "a bill of WeChat Pay's",
    poisons: poisonBills,
    run: (text) => parseBill(Buffer.from(text), { day: "2026-11-20", appid: "wx1" }),
  },
  {
    name: "providers' callbacks",
    byEngine: true,
    poisons: { ...poisonJson, ...poisonForms },
    run: (text) => [stripeHint, paypalHint, razorpayHint, btcpayHint, mollie.hint].map((hintOf) => hintOf(callback(text))),
  },
  {
    name: "the signatures of providers' callbacks",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => [
      ...[text, `t=1,v1=${text}`].map((header) => stripeRefusal(header, { body, secret: "s", at })),
      ...[isSignedWith("s", body, text), isSignedWith("s", body, `sha256=${text}`), isSignedByRazorpay(body, text, "s")],
      readProof(() => text),
    ],
  },
  {
    name: "a name, an address, a transfer's number and its note",
    poisons: someTexts("at signs", "dots", "digits", "digits with dashes", "encoded words", "blanks", "marks out of order", "quotes"),
    run: (text) => [
      ...[holdsAddress(text), plainName(text), externalKey(text), readCodes(text)],
      ...[text, `a@${text}`, `${text}@b.example`].map(canonicalAddress),
    ],
  },
];
