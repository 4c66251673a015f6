import { describe, expect, test } from "vitest";
import { expireDue, findOrder, listExpansions, listPayments } from "#orders/index.ts";
import { linkReceipt, recordReceipt, reviewOrder } from "#reconciliation/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { alipayCode, type PayShop, payShop, wechatCode } from "#test/support/payments/pay-shop.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const buyer = app.api(null);
const codes = { wechatpay: wechatCode, alipay: alipayCode } as const;

const path = (token: string, action = "") => `/api/public/pay/${token}${action}`;
const choose = async (token: string, name: string) => (await buyer.post(path(token, "/initiate"), { gateway: name })).body.id as string;
/** A buyer who looks at WeChat, then at the other method, and goes back to WeChat. */
const goneBack = async (shop: PayShop, other = "alipay") => {
  const { order, token } = await shop.order({ amount_minor: 10_000 });
  const first = await choose(token, "wechatpay");
  const second = await choose(token, other);
  expect(await choose(token, "wechatpay")).toBe(first);
  return { order, token, first, second };
};

describe("a buyer who goes back to a channel", () => {
  test("sees that channel's code again, each time", async () => {
    const shop = await payShop(app);
    const { token } = await shop.order();
    for (const name of ["wechatpay", "alipay", "wechatpay", "alipay"] as const) {
      await choose(token, name);
      expect((await buyer.get(path(token))).body).toMatchObject({ state: "pay", session: { gateway: name, qr_payload: codes[name] } });
      expect((await buyer.get(`/pay/${token}/qr.png`)).status).toBe(200);
    }
  });

  test("has that channel's payment as the order's latest one, and the list still begins with the newest", async () => {
    const shop = await payShop(app);
    const { order, token, first, second } = await goneBack(shop);
    expect((await findOrder(ctx, shop.tenant, order.id)).session).toMatchObject({ id: first, status: "pending" });
    await buyer.post(path(token, "/report"), {});
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "checking", session: { gateway: "wechatpay" } });
    await reviewOrder(ctx, shop.tenant, { order_id: order.id, decision: "approve" });
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "paid", session: { gateway: "wechatpay", status: "succeeded" } });
    const { rows } = await listPayments(ctx, shop.tenant, { order_id: order.id, limit: 10 });
    expect(rows.map(({ id }) => id)).toEqual([second, first]);
    const { sessions } = await listExpansions(ctx, shop.tenant, [order.id]);
    expect(sessions.map(({ id }) => id)).toEqual([second, first]);
  });

  test("from a provider's page can report the payment of the code", async () => {
    const shop = await gatewayShop(app);
    await shop.account("tp_a");
    const { token } = await goneBack(shop, "testpay");
    expect((await buyer.get(path(token))).body).toMatchObject({ state: "pay", can_report: true });
  });

  test("pays with the lowered amount that was asked for there", async () => {
    const shop = await payShop(app, { matching: { mode: "unique_amount" } });
    const { order, first } = await goneBack(shop);
    const payable = (await findOrder(ctx, shop.tenant, order.id)).session?.payable_amount_minor ?? 0;
    const { receipt } = await recordReceipt(ctx, shop.tenant, {
      channel: "wechat",
      amount_minor: payable,
      source: "manual",
      occurred_at: ctx.now(),
    });
    await linkReceipt({ ...ctx, actor: { kind: "person", id: "usr_reviewer" } }, shop.tenant, {
      receipt_id: receipt.id,
      order_id: order.id,
    });
    expect(await findOrder(ctx, shop.tenant, order.id)).toMatchObject({
      order: { status: "paid", flags: ["manually_verified"] },
      session: { id: first },
    });
  });

  test("has that channel's payment approved after both have expired", async () => {
    const shop = await payShop(app);
    const { order, first } = await goneBack(shop);
    clock.advance(31 * 60_000);
    await expireDue(ctx);
    await reviewOrder(ctx, shop.tenant, { order_id: order.id, decision: "approve" });
    expect((await findOrder(ctx, shop.tenant, order.id)).session).toMatchObject({ id: first, gateway: "wechatpay", status: "succeeded" });
  });
});

test("an order that was paid through an earlier payment shows that one, not the one that was open", async () => {
  const shop = await payShop(app);
  const { order, token } = await shop.order();
  const first = await choose(token, "wechatpay");
  await choose(token, "alipay");
  await reviewOrder(ctx, shop.tenant, { order_id: order.id, decision: "approve", gateway: "wechatpay" });
  expect((await findOrder(ctx, shop.tenant, order.id)).session).toMatchObject({ id: first, gateway: "wechatpay", status: "succeeded" });
});
