import { expect, test } from "vitest";
import type { GatewayAction } from "#gateways/index.ts";
import { createOrder, startPayment } from "#orders/index.ts";
import { findGatewayPayment } from "#orders/rows/gateway-payments.sql.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { simulateOn } from "#providers/payment/mollie/simulator/actions.ts";
import type { Payment } from "#providers/payment/mollie/simulator/documents.ts";
import { callbackFor } from "#providers/payment/mollie/simulator/payments.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;

const mollie = of("mollie");
const paymentOf = (shop: SimulatedShop, reference: string) => findGatewayPayment(ctx.db, shop.tenant, reference);
const atMollie = (id: string) => mollie.enter((world) => world.documents.get<Payment>("payment", id)) as Promise<Payment>;
/** The buyer chooses a method on Mollie's page, which gives them its time to pay. */
const chooseTransfer = async (id: string) => {
  const payment = await atMollie(id);
  const expiresAt = app.clock.now().getTime() + 12 * 86_400_000;
  await mollie.enter((world) => world.documents.put("payment", id, { ...payment, method: "banktransfer", expiresAt }));
};

test("a payment that is started again after an hour is still the one that the buyer may be paying at Mollie, and pays the order", async () => {
  const shop = await simulatedShop(app, { provider: mollie, account: "transfers" });
  const { order, session } = await shop.started();
  const id = (await paymentOf(shop, session.id))?.provider_id ?? "";
  await chooseTransfer(id);
  app.clock.advance(3_700_000);
  const again = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "mollie" });
  expect(again).toMatchObject({ created: false, session: { id: session.id } });
  expect(await paymentOf(shop, session.id)).toMatchObject({ provider_id: id, status: "open" });
  const open = await atMollie(id);
  await mollie.enter((world) => simulateOn(world, open, "paid"));
  expect(await post(app, callbackFor(await atMollie(id)))).toMatchObject({ status: 200 });
  expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({ status: "paid", flags: [] });
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
});

test("a payment that expired at Mollie is replaced by a new one, under a new reference", async () => {
  const shop = await simulatedShop(app, { provider: mollie, account: "expired" });
  const { order, session } = await shop.started();
  app.clock.advance(1_000_000);
  const again = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "mollie" });
  expect(again.session.id).not.toBe(session.id);
  expect(await paymentOf(shop, session.id)).toMatchObject({ status: "done" });
  expect(await paymentOf(shop, again.session.id)).toMatchObject({ status: "open" });
});

test("the address of Alipay's page is signed anew when it is no longer accepted, and leads to the same payment", async () => {
  const provider = of("alipay_merchant");
  const shop = await simulatedShop(app, { provider, account: "phones" });
  const { order } = await createOrder(ctx, shop.tenant, { ...provider.amount });
  const buyer = { ip: "203.0.113.7", locale: "zh-CN", device: "phone", openid: null };
  const start = () => startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "alipay_merchant", buyer });
  const open = (action: GatewayAction | null) =>
    provider.enter((world) => provider.simulator.handle(world, new Request(action?.type === "redirect" ? action.url : "")));
  const actionOf = ({ session }: Awaited<ReturnType<typeof start>>) =>
    session.method_data.type === "gateway" ? session.method_data.next_action : null;
  const first = await start();
  expect(actionOf(await start())).toEqual(actionOf(first));
  app.clock.advance(20 * 60_000);
  expect(await (await open(actionOf(first))).text()).toBe("Alipay: isv.invalid-timestamp");
  const again = await start();
  expect(again.session.id).toBe(first.session.id);
  expect((await open(actionOf(again))).headers.get("location")).toMatch(/\/pay\//);
});
