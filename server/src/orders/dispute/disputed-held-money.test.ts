import { describe, expect, test } from "vitest";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { reversePayment } from "#reconciliation/reverse/reverse-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops, refusal } from "#test/support/gateways/scripted/disputed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, paidTwice, orderOf, disputesOf, casesOf, booksBalance } = disputedShops(app, gateway);
type Shop = Awaited<ReturnType<typeof open>>;

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

describe("held money that a dispute took", () => {
  const refuses = async (shop: Shop, exception_id: string) => {
    for (const decision of [{ action: "accept" }, { action: "refund" }, { action: "refund", refund: { method: "manual" } }] as const)
      expect(await refusal(resolveException(ctx, shop.tenant, { exception_id, ...decision }))).toMatchObject({
        code: "order_state_conflict",
      });
  };

  test("of a second payment is neither refunded nor kept, until the dispute is won", async () => {
    const { shop, held } = await paidTwice();
    await shop.report({ at: 1 });
    expect(await disputesOf(shop)).toMatchObject([{ in_books: true, of_order: false }]);
    expect(await orderOf(shop), "its own payment is whole").toMatchObject({ amount_received_minor: 9_900, amount_disputed_minor: 0 });
    await refuses(shop, held);
    await booksBalance();
    await shop.report({ at: 2, state: "won" });
    expect(await resolveException(ctx, shop.tenant, { exception_id: held, action: "refund" })).toMatchObject({ resolution: "refund" });
    await booksBalance();
  });

  test("of a lost one isn't either, and its exception can be closed", async () => {
    const { shop, held } = await paidTwice();
    await shop.report({ at: 1, state: "lost" });
    await refuses(shop, held);
    expect(await resolveException(ctx, shop.tenant, { exception_id: held, action: "ignore", note: "charged back" })).toMatchObject({
      status: "resolved",
    });
    await booksBalance();
  });

  test("that belongs to no order since its payment was reversed isn't either", async () => {
    const shop = await open();
    await reversePayment(ctx, shop.tenant, { order_id: shop.order_id, cause: "other_order", note: "slip" });
    await shop.report({ at: 1 });
    const held = (await casesOf(shop)).find(({ transaction_id }) => transaction_id !== null)?.id ?? "";
    await refuses(shop, held);
    await booksBalance();
  });

  test("beyond an order's amount is refunded as far as disputes left it", async () => {
    const shop = await open({ isPaid: false });
    gateway.pay(shop.session_id, { paid: yuan(10_900) });
    await shop.send(gateway.callback(shop.session_id));
    const [excess] = await casesOf(shop);
    await shop.report({ at: 1, amount: yuan(9_900) });
    const byHand = { action: "refund", refund: { method: "manual" } } as const;
    expect(await resolveException(ctx, shop.tenant, { exception_id: excess?.id ?? "", ...byHand })).toMatchObject({ resolution: "refund" });
    await booksBalance();
    const other = await open({ isPaid: false });
    gateway.pay(other.session_id, { paid: yuan(10_900) });
    await other.send(gateway.callback(other.session_id));
    await other.report({ at: 1, amount: yuan(10_900) });
    const held = (await casesOf(other)).find(({ kind }) => kind === "overpaid")?.id ?? "";
    await refuses(other, held);
    await booksBalance();
  });
});
