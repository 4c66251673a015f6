import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import Razorpay from "razorpay";
import { expect, test } from "vitest";
import type { CallbackVerdict } from "#gateways/index.ts";
import { received, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { razorpay } from "./adapter.ts";
import { razorpaySimulator } from "./simulator.ts";

/** Events that Razorpay published; the file names its pages. */
const published = JSON.parse(readFileSync(new URL("testing/published.json", import.meta.url), "utf8"));
const secret = "a secret of the merchant's";

/** Signs a published event so that Razorpay's own library accepts it, and returns what the adapter of its account reads. */
async function read(name: string): Promise<CallbackVerdict> {
  const event = published.events[name];
  const body = JSON.stringify(event);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  expect(Razorpay.validateWebhookSignature(body, signature, secret)).toBe(true);
  const world = simulatedWorld();
  const fields = {
    key_id: "rzp_test_published12345",
    key_secret: "published0123456789abcdef",
    webhook_secret: secret,
    merchant_id: event.account_id,
  };
  const headers = { "X-Razorpay-Signature": signature, "x-razorpay-event-id": `evt_${name.replaceAll(".", "_")}` };
  const callback = received({ url: "https://shop.test/callbacks", headers, body }, world.now());
  return razorpay.open(fields, { livemode: false }).verify(world.call(razorpaySimulator), callback);
}

test("payment_link.paid reports the payment of the link, with Razorpay's fee", async () => {
  expect(await read("payment_link.paid")).toEqual({
    ok: true,
    dedupeKey: "evt_payment_link_paid",
    event: "payment_link.paid",
    report: {
      kind: "payment",
      payment: {
        reference: "23",
        providerId: "plink_QflcnnZqCekuvL",
        captureId: "pay_Qfldmt5StKZFCB",
        state: "succeeded",
        asked: { amount_minor: 1_000, currency: "INR" },
        paid: { amount_minor: 1_000, currency: "INR" },
        refunded: { amount_minor: 0, currency: "INR" },
        fee: { amount_minor: 24, currency: "INR" },
        paidAt: new Date("2025-06-11T05:06:11Z"),
        providerState: "paid captured",
        livemode: null,
        account: "acc_OU2H3nkLn9jDVo",
        failure: null,
      },
    },
  });
});

test("refund.processed reports the refund of its payment", async () => {
  expect(await read("refund.processed")).toMatchObject({
    ok: true,
    report: {
      kind: "refund",
      payment: { captureId: "pay_FPoJKWQQ8lK13n" },
      refund: {
        refundReference: null,
        providerRefundId: "rfnd_FS8TWyPrCsa0OB",
        state: "succeeded",
        amount: { amount_minor: 50_000, currency: "INR" },
        failure: null,
      },
    },
  });
});

test("payment.dispute.created reports an inquiry: Razorpay hasn't deducted anything yet", async () => {
  expect(await read("payment.dispute.created")).toMatchObject({
    ok: true,
    report: {
      kind: "dispute",
      dispute: {
        providerDisputeId: "disp_EsIAlDcoUr8CaQ",
        payment: { reference: null, providerId: null, captureId: "pay_EFtmUsbwpXwBHI" },
        state: "inquiry",
        amount: { amount_minor: 39_000, currency: "INR" },
        reason: "processed_invalid_expired_card",
        occurredAt: new Date("2020-05-19T17:06:17Z"),
      },
    },
  });
});
