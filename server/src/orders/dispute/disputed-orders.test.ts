import { describe, expect, test } from "vitest";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { reversePayment } from "#reconciliation/reverse/reverse-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputedShops, refusal } from "#test/support/gateways/scripted/disputed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, disputesOf, orderOf, casesOf, booksBalance } = disputedShops(app, gateway);

describe("while an order is disputed", () => {
  test("only what disputes left of it can be refunded, both in the database and in the code", async () => {
    const shop = await open();
    await shop.report({ at: 1, amount: { amount_minor: 6000, currency: "CNY" } });
    const { tenant, order_id } = shop;
    expect(await refusal(refundOrder(ctx, tenant, { method: "manual", order_id, amount_minor: 4000 }))).toEqual({
      code: "refund_exceeds_received",
      fields: { refundable_minor: 3900, currency: "CNY" },
    });
    const raise = `update orders set amount_refunded_minor = 4000 where id = '${order_id}'`;
    await expect(runStatement(ctx.db, raise)).rejects.toMatchObject({ constraint: "orders_disputes_of_received" });
    expect(await refundOrder(ctx, tenant, { method: "manual", order_id })).toMatchObject({ amount_minor: 3900 });
    await booksBalance();
  });

  test("a concurrent refund and dispute never take more of the order than it received", async () => {
    for (let round = 0; round < 3; round += 1) {
      const shop = await open();
      const refunds = Array.from({ length: 4 }, () =>
        refusal(refundOrder(ctx, shop.tenant, { method: "manual", order_id: shop.order_id, amount_minor: 3000 })),
      );
      await Promise.all([...refunds, shop.report({ at: 1, amount: { amount_minor: 5000, currency: "CNY" } })]);
      const order = await orderOf(shop);
      expect(order.amount_refunded_minor + order.amount_disputed_minor).toBeLessThanOrEqual(order.amount_received_minor);
      expect(await disputesOf(shop)).toHaveLength(1);
    }
    await booksBalance();
  });

  test("its payment can't be reversed, and can be again once the dispute was won", async () => {
    const shop = await open();
    await shop.report({ at: 1 });
    const reversal = { order_id: shop.order_id, cause: "not_received", note: "slip" } as const;
    const [dispute] = await disputesOf(shop);
    expect(await refusal(reversePayment(ctx, shop.tenant, reversal))).toEqual({
      code: "order_state_conflict",
      fields: { dispute_ids: [dispute?.id] },
    });
    await shop.report({ at: 2, state: "won" });
    await reversePayment(ctx, shop.tenant, reversal);
    await booksBalance();
  });

  test("its exception can be closed with a note, and holds no money", async () => {
    const shop = await open();
    await shop.report({ at: 1 });
    const exception_id = (await casesOf(shop))[0]?.id ?? "";
    for (const action of ["accept", "refund"] as const)
      expect(await refusal(resolveException(ctx, shop.tenant, { exception_id, action }))).toMatchObject({ code: "order_state_conflict" });
    expect(await resolveException(ctx, shop.tenant, { exception_id, action: "ignore", note: "answered" })).toMatchObject({
      status: "resolved",
    });
    await shop.report({ at: 2, state: "lost" });
    expect(await casesOf(shop)).toHaveLength(1);
    await booksBalance();
  });
});
