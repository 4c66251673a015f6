import { expect, test } from "vitest";
import { createCredential } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, cancelOrder, createOrder, startPayment } from "#orders/index.ts";
import { listGatewayPaymentRows } from "#orders/rows/gateway-payments.sql.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { listSessionRows } from "#orders/rows/sessions.sql.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { compareDue } from "#test/support/gateways/scripted/compare-days.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const gateway = "wechatpay_merchant";
const provider = of(gateway);
const { simulator, enter, amount } = provider;

let made = 0;
const open = () => simulatedShop(app, { provider, account: `shop ${(made += 1)}` });
const orderOf = (shop: SimulatedShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
/** WeChat Pay no longer knows the merchant, and has no key to sign that with. */
const forget = ({ credential }: SimulatedShop) => enter((world) => world.documents.put("merchant", credential.fields["mchid"] ?? "", null));

test("an order is paid through the next account if WeChat Pay refuses the first one's keys without a signature", async () => {
  const shop = await open();
  const fields = await enter((world) => simulator.openAccount(world, "next"));
  const next = await createCredential(ctx, shop.tenant, { gateway, fields, position: 2 });
  await forget(shop);
  const { session } = await shop.started();
  const [payment] = await listGatewayPaymentRows(ctx.db, shop.tenant, [session.id]);
  expect(payment).toMatchObject({ credential_id: next.id, status: "open" });
});

test("an order whose only account was refused can be canceled", async () => {
  const shop = await open();
  await forget(shop);
  const { order } = await createOrder(ctx, shop.tenant, { ...amount });
  await expect(startPayment(ctx, shop.tenant, { order_id: order.id, gateway })).rejects.toMatchObject({ code: "gateway_error" });
  await cancelOrder(ctx, shop.tenant, { order_id: order.id });
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "canceled" });
});

/** WeChat Pay carries out the request, and someone on the way answers that it refused the keys. */
async function forged<T>(work: () => Promise<T>): Promise<T> {
  provider.simulator = {
    ...simulator,
    async handle(world, request) {
      await simulator.handle(world, request);
      return new Response("", { status: 401 });
    },
  };
  try {
    return await work();
  } finally {
    provider.simulator = simulator;
  }
}

test.each(["its callback", "the daily bill"] as const)(
  "money for a payment that WeChat Pay did create, although the response was a forged refusal, is found by %s",
  async (by) => {
    const shop = await open();
    const { order } = await createOrder(ctx, shop.tenant, { ...amount });
    const starting = forged(() => startPayment(ctx, shop.tenant, { order_id: order.id, gateway }));
    await expect(starting).rejects.toMatchObject({ code: "gateway_error" });
    const [session] = await listSessionRows(ctx.db, shop.tenant, [order.id]);
    expect(session).toMatchObject({ status: "failed" });
    const reference = session?.id ?? "";
    // Only the forger has its code.
    await enter((world) => simulator.simulate(world, { reference, outcome: "paid" }));
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
    if (by === "its callback") await post(app, await shop.callbackOf(reference));
    else {
      app.clock.advance(2 * 86_400_000);
      await compareDue(app);
    }
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: amount.amount_minor });
  },
);

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
