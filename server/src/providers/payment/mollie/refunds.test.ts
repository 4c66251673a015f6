import { beforeEach, describe, expect, test } from "vitest";
import { eur, type MollieShop, openShop, paying, reference } from "#test/support/gateways/simulated/mollie-shop.ts";
import { mollieSimulator } from "./simulator.ts";
import { refundOf } from "./wire.ts";

let shop: MollieShop;
beforeEach(async () => {
  shop = await openShop();
});

describe("a refund", () => {
  const refundReference = "rf_00000000000000000000000001";
  const newRefund = (key: { reference: string; providerId: string | null }) => ({
    ...key,
    captureId: null,
    refundReference,
    amount: eur(300),
    total: eur(1_234),
    reason: "Out of stock",
    notifyUrl: "https://shop.test/n",
  });

  test("requested again after Mollie forgot its key is made once", async () => {
    const { key } = await paying(shop, "paid");
    const first = await shop.account.refund(shop.call, newRefund(key));
    shop.world.pass(2 * 3_600);
    expect((await shop.account.refund(shop.call, newRefund(key))).providerRefundId).toBe(first.providerRefundId);
    expect(await shop.account.query(shop.call, key)).toMatchObject({ refunded: eur(300) });
  });

  test("of the same amount as another one of the last hour waits, as Mollie asks, and is made then", async () => {
    const { key } = await paying(shop, "paid");
    const first = await shop.account.refund(shop.call, newRefund(key));
    const second = { ...newRefund(key), refundReference: "rf_00000000000000000000000002" };
    const busy = { kind: "rate_limited", retryAfter: 3_600, isBusy: true };
    await expect(shop.account.refund(shop.call, second)).rejects.toMatchObject(busy);
    shop.world.pass(3_600);
    expect((await shop.account.refund(shop.call, second)).providerRefundId).not.toBe(first.providerRefundId);
    expect(await shop.account.query(shop.call, key)).toMatchObject({ refunded: eur(600) });
  });

  test.each([
    ["its reason", "Out of stock", "Out of stock"],
    ["our reference of the payment, if it has no reason", null, reference],
  ])("has the description that Mollie requires: %s", async (_name, reason, description) => {
    const { key } = await paying(shop, "paid");
    await shop.account.refund(shop.call, { ...newRefund(key), reason });
    expect(shop.requests.at(-1)).toMatchObject({ method: "POST", body: { description } });
  });

  test("waits until it is paid out, and is found only by our reference", async () => {
    const { key } = await paying(shop, "paid");
    expect(await shop.account.refund(shop.call, newRefund(key))).toMatchObject({ state: "pending", amount: eur(300), refundReference });
    await mollieSimulator.simulateRefund(shop.world, { refundReference, outcome: "succeeded" });
    const found = await shop.account.queryRefund(shop.call, {
      reference,
      providerId: null,
      captureId: null,
      refundReference,
      providerRefundId: null,
    });
    expect(found).toMatchObject({ state: "succeeded" });
  });

  test("that failed restores the refundable amount", async () => {
    const { key } = await paying(shop, "paid");
    await shop.account.refund(shop.call, newRefund(key));
    await mollieSimulator.simulateRefund(shop.world, { refundReference, outcome: "failed" });
    expect(await shop.account.query(shop.call, key)).toMatchObject({ refunded: eur(0) });
  });

  test.each([
    ["queued", "pending"],
    ["pending", "pending"],
    ["processing", "pending"],
    ["refunded", "succeeded"],
    ["failed", "failed"],
    ["canceled", "failed"],
  ])("that is %s is reported as %s", (status, state) => {
    expect(refundOf({ resource: "refund", id: "re_1", status, amount: { currency: "EUR", value: "3.00" } })?.state).toBe(state);
  });
});
