import { expect, test } from "vitest";
import { refundOrder, reversePayment, simulatePayment } from "#orders/index.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { house } from "#test/support/house/house.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";

const gateway = payingGateway();
const home = await house({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = home;

test("a receipt says what went back, and a payment that was reversed has none, though its page goes on saying paid", async () => {
  const shop = await payShop(home);
  const { order, token } = await shop.order({ locale: "en" });
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 2300 });
  const app = await home.app();
  const read = (path: string) => app.inject(path);
  const receipt = await read(`/pay/${token}/receipt`);
  expect(receipt.body).toMatch(/Refunded<\/dt><dd>[^<]*23\.00/);

  const other = await shop.order({ locale: "en" });
  await simulatePayment(ctx, shop.tenant, { order_id: other.order.id });
  await reversePayment(ctx, shop.tenant, { order_id: other.order.id, cause: "not_received", note: "slip" });
  const page = await read(`/pay/${other.token}`);
  expect(page.body).toContain("99.00");
  expect(page.body).not.toContain(`/pay/${other.token}/receipt`);
  expect((await read(`/pay/${other.token}/receipt`)).statusCode).toBe(303);
});

test.each([
  { locale: "en", words: "Claim refund" },
  { locale: "zh-CN", words: "领取退款" },
])("a refund that the buyer has to claim is offered on the order's page and on its receipt, in $locale, until it is claimed", async ({ locale, words }) => {
  const url = "https://btc.example/pull-payments/Qm7?x=1&y=2";
  gateway.refundsBegin = { state: "requires_action", claimUrl: url };
  const shop = await refundShop(home, gateway);
  const { order, token } = await shop.paid({ locale });
  const refund = await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 2_300 });
  const app = await home.app();
  for (const path of [`/pay/${token}`, `/pay/${token}/receipt`]) {
    const { body } = await app.inject(path);
    expect(body).toContain(words);
    expect(body).toContain('href="https://btc.example/pull-payments/Qm7?x&#61;1&#38;y&#61;2"');
  }
  expect((await home.api().get(`/api/public/pay/${token}`)).body).toMatchObject({ refund_claims: [{ amount_minor: 2_300, url }] });
  gateway.changeRefund(refund.id, { state: "succeeded", claimUrl: null });
  await home.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.refundCallback(refund.id));
  expect((await app.inject(`/pay/${token}`)).body).not.toContain(words);
});

test("what a provider calls a claim's page and is none leads nobody anywhere", async () => {
  gateway.refundsBegin = { state: "requires_action", claimUrl: "javascript:alert(1)" };
  const shop = await refundShop(home, gateway);
  const { order, token } = await shop.paid({ locale: "en" });
  expect(await refundOrder(ctx, shop.tenant, { order_id: order.id })).toMatchObject({ status: "pending", next_action: null });
  expect((await (await home.app()).inject(`/pay/${token}`)).body).not.toContain("javascript:");
});
