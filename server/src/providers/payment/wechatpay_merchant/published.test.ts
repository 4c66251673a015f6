import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as plugin from "wechatpay-axios-plugin";
import type { CallbackVerdict } from "#gateways/index.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { openShop } from "#test/support/gateways/simulated/wechatpay-shop.ts";

/** Notifications that WeChat Pay published; the file names its pages. */
const published = JSON.parse(readFileSync(new URL("testing/published.json", import.meta.url), "utf8"));
const nonce = "593BEC0C930BF1AFEB40B4A08C8FB242";

/** The library of others that encrypts and signs here; its types don't fit its exports. */
const { Rsa, Aes, Formatter } = plugin as unknown as {
  Rsa: { sign(message: string, key: string): string };
  Aes: { AesGcm: { encrypt(plain: string, key: string, iv: string, aad: string): string } };
  Formatter: { response(timestamp: string, nonce: string, body: string): string };
};

/** What the account of this merchant reads in a notification that is signed with the key of its WeChat Pay. */
async function read(notification: object, mchid: string): Promise<CallbackVerdict> {
  const shop = await openShop({ mchid, api_v3_key: published.api_v3_key });
  const body = JSON.stringify(notification);
  const timestamp = String(Math.floor(shop.world.now().getTime() / 1_000));
  const key = (await shop.world.documents.get<string>("key", "shop/public_key")) ?? "";
  const headers = {
    "Wechatpay-Serial": shop.fields["public_key_id"] ?? "",
    "Wechatpay-Timestamp": timestamp,
    "Wechatpay-Nonce": nonce,
    "Wechatpay-Signature": Rsa.sign(Formatter.response(timestamp, nonce, body), key),
  };
  return shop.account.verify(shop.call, received({ url: "https://shop.test/callbacks", headers, body }, shop.world.now()));
}

const seal = (plaintext: string, associatedData: string) => ({
  algorithm: "AEAD_AES_256_GCM",
  nonce: "uluk4a9R25RW",
  associated_data: associatedData,
  ciphertext: Aes.AesGcm.encrypt(plaintext, published.api_v3_key, "uluk4a9R25RW", associatedData),
});

test("TRANSACTION.SUCCESS, encrypted by others, reports the payment by the merchant's number", async () => {
  const { plaintext: _, ...payment } = published.payment;
  expect(await read({ ...published.notification, ...payment }, "1230000109")).toEqual({
    ok: true,
    dedupeKey: "EV-2018022511223320873",
    event: "TRANSACTION.SUCCESS",
    report: {
      kind: "payment",
      payment: {
        reference: "1217752501201407033233368018",
        providerId: "1217752501201407033233368018",
        captureId: null,
        state: "succeeded",
        asked: { amount_minor: 100, currency: "CNY" },
        paid: { amount_minor: 100, currency: "CNY" },
        refunded: null,
        fee: null,
        paidAt: new Date("2018-06-08T02:34:56Z"),
        providerState: "SUCCESS",
        livemode: null,
        account: "1230000109",
        failure: null,
      },
    },
  });
});

test("REFUND.SUCCESS reports the refund of the payment, by the merchant's number", async () => {
  const { plaintext, ...refund } = published.refund;
  const resource = { original_type: "refund", ...seal(plaintext, "") };
  expect(await read({ ...published.notification, ...refund, resource }, "1900000100")).toEqual({
    ok: true,
    dedupeKey: "EV-2018022511223320873",
    event: "REFUND.SUCCESS",
    report: {
      kind: "refund",
      payment: { reference: "20150806125346", providerId: "1008450740201411110005820873" },
      refund: {
        refundReference: "7752501201407033233368018",
        providerRefundId: "50200207182018070300011301001",
        state: "succeeded",
        amount: { amount_minor: 999, currency: "CNY" },
        claimUrl: null,
        providerState: "SUCCESS",
        failure: null,
      },
    },
  });
});

test("the published payment of another merchant is refused", async () => {
  const { plaintext: _, ...payment } = published.payment;
  expect(await read({ ...published.notification, ...payment }, "1900000100")).toEqual({ ok: false, reason: "malformed" });
});
