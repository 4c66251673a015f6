import { expect, test } from "vitest";
import { refundOrder, reversePayment, simulatePayment } from "#orders/index.ts";
import { house } from "#test/house.ts";
import { payShop } from "#test/pay-shop.ts";

const home = await house();
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
