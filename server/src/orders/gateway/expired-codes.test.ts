import { expect, test } from "vitest";
import { wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { changeOrder } from "../order/change-order.ts";
import { startPayment } from "../payment/start-payment.ts";
import { codeOf } from "../session/method-data.ts";
import type { GatewayBuyer } from "./buyer/buyer.ts";

const { app, shop: openShop } = await wechatApp();
const { ctx, clock } = app;

const buyer: GatewayBuyer = { ip: null, locale: "en", device: "desktop", openid: null };

test("an expired code is replaced by a new one of the same payment, although the order's description was changed", async () => {
  const { tenant, order: create } = await openShop();
  const { order } = await create({ description: "Two pots of tea" });
  const start = () => startPayment(ctx, tenant, { order_id: order.id, gateway: "wechatpay_merchant", buyer });
  const first = await start();
  await changeOrder(ctx, tenant, { order_id: order.id, if_version: null, description: "Three pots of tea" });
  clock.advance(7_201_000);
  const renewed = await start();
  expect(renewed.session).toMatchObject({ id: first.session.id, status: "pending" });
  expect(codeOf(renewed.session)?.qr_payload).toMatch(/^http/);
  expect(codeOf(renewed.session)?.qr_payload).not.toBe(codeOf(first.session)?.qr_payload);
});
