import { expect, test } from "vitest";
import { refundOrder, simulatePayment } from "#orders/index.ts";
import { reversePayment } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;

test("a receipt shows refunds, and a reversed payment has no receipt, though its page continues to say paid", async () => {
  const shop = await payShop(app);
  const { order, token } = await shop.order({ locale: "en" });
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 2300 });
  const server = await app.server();
  const read = (path: string) => server.inject(path);
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
])(
  "a refund that the buyer must claim is offered on the order's page and on its receipt, in $locale, until it is claimed",
  async ({ locale, words }) => {
    const url = "https://btc.example/pull-payments/Qm7?x=1&y=2";
    gateway.refundsBegin = { state: "requires_action", claimUrl: url };
    const shop = await refundShop(app, gateway);
    const { order, token } = await shop.paid({ locale });
    const refund = await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 2_300 });
    const server = await app.server();
    for (const path of [`/pay/${token}`, `/pay/${token}/receipt`]) {
      const { body } = await server.inject(path);
      expect(body).toContain(words);
      expect(body).toContain('href="https://btc.example/pull-payments/Qm7?x&#61;1&#38;y&#61;2"');
    }
    expect((await app.api().get(`/api/public/pay/${token}`)).body).toMatchObject({ refund_claims: [{ amount_minor: 2_300, url }] });
    gateway.changeRefund(refund.id, { state: "succeeded", claimUrl: null });
    await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.refundCallback(refund.id));
    expect((await server.inject(`/pay/${token}`)).body).not.toContain(words);
  },
);

test("a provider's claim page that isn't one is never linked", async () => {
  gateway.refundsBegin = { state: "requires_action", claimUrl: "javascript:alert(1)" };
  const shop = await refundShop(app, gateway);
  const { order, token } = await shop.paid({ locale: "en" });
  expect(await refundOrder(ctx, shop.tenant, { order_id: order.id })).toMatchObject({ status: "pending", next_action: null });
  expect((await (await app.server()).inject(`/pay/${token}`)).body).not.toContain("javascript:");
});
