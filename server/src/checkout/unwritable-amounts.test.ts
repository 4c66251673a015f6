import { expect, test } from "vitest";
import { createDemo } from "#gateways/index.ts";
import { listOrderEvents, listOrderRefunds, refundOrder } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { choose, demoGateways, orderNow } from "#test/support/gateways/simulated/demo-shop.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";

const at = await testApp({ gateways: demoGateways });
const { ctx } = at;
const buyer = at.api(null);
const page = (token: string, action = "") => `/api/public/pay/${token}${action}`;

/** BTCPay Server writes Argentine pesos without decimals. */
async function order(shop: PayShop, amount_minor: number) {
  const made = await shop.order({ amount_minor, currency: "ARS" });
  const offered = (await buyer.get(page(made.token))).body.channels;
  return { ...made, offered, start: () => buyer.post(page(made.token, "/initiate"), { gateway: "btcpay" }) };
}

async function open(): Promise<PayShop> {
  const shop = await payShop(at);
  await createDemo(ctx, shop.tenant, { gateway: "btcpay" });
  return shop;
}

test("a gateway isn't offered for an amount that it can't write, and a payment that is started all the same is refused before anything", async () => {
  const shop = await open();
  const { order: made, token, offered, start } = await order(shop, 150_050);
  expect(offered).toEqual([]);
  const { status, body } = await start();
  expect({ status, code: body.error.code, param: body.error.param }).toEqual({
    status: 400,
    code: "amount_out_of_range",
    param: "gateway",
  });
  expect((await buyer.get(page(token))).body).toMatchObject({ state: "choose", session: null });
  const events = (await listOrderEvents(ctx, shop.tenant, { order_id: made.id, limit: 100 })).rows.map(({ event }) => event);
  expect(events).not.toContain("payment.session.failed");
});

test("an amount that it can write is offered and paid, and only such amounts are refunded", async () => {
  const shop = await open();
  const { order: made, offered, start } = await order(shop, 150_000);
  expect(offered).toEqual(["btcpay"]);
  const { status, body } = await start();
  expect(status).toBe(201);
  const { pathname, search } = new URL(body.next_action.url);
  await choose(at, pathname + search, "paid");
  expect(await orderNow(at, shop.tenant, made.id)).toMatchObject({ status: "paid" });
  const refund = (amount_minor: number) => refundOrder(ctx, shop.tenant, { order_id: made.id, amount_minor });
  await expect(refund(50_050)).rejects.toMatchObject({
    code: "amount_out_of_range",
    extras: { param: "amount_minor", reason: "not_a_multiple", values: { step: "1.00" } },
  });
  expect((await listOrderRefunds(ctx, shop.tenant, { order_id: made.id, limit: 9 })).rows).toEqual([]);
  expect(await refund(50_000)).toMatchObject({ method: "gateway", amount_minor: 50_000 });
});
