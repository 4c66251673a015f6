import { describe, expect, test } from "vitest";
import { openShop, paidShop, payment, rawCallback, reference } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripeSimulator } from "./simulator.ts";

describe("Stripe's own library against the simulated Stripe", () => {
  test("creates, reads, lists and expires a session", async () => {
    const { library } = await openShop();
    const session = await library.checkout.sessions.create({
      mode: "payment",
      line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 5_000, product_data: { name: "Tea" } } }],
      success_url: "https://shop.test/done",
    });
    expect(session).toMatchObject({ object: "checkout.session", status: "open", payment_status: "unpaid", amount_total: 5_000 });
    expect(await library.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id });
    expect((await library.checkout.sessions.list({ limit: 1 })).data).toHaveLength(1);
    expect(await library.checkout.sessions.expire(session.id)).toMatchObject({ status: "expired", url: null });
    await expect(library.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      type: "StripeInvalidRequestError",
      statusCode: 400,
    });
    await expect(library.checkout.sessions.retrieve("cs_test_none")).rejects.toMatchObject({ code: "resource_missing", statusCode: 404 });
  });

  test("refunds, and reads the outcome", async () => {
    const { library, snapshot } = await paidShop();
    const refund = await library.refunds.create({ payment_intent: snapshot.captureId ?? "", amount: 300, reason: "requested_by_customer" });
    expect(refund).toMatchObject({ object: "refund", status: "succeeded", amount: 300 });
    const intent = await library.paymentIntents.retrieve(snapshot.captureId ?? "", { expand: ["latest_charge.balance_transaction"] });
    expect(intent).toMatchObject({ status: "succeeded", latest_charge: { amount_refunded: 300, balance_transaction: { net: 1_168 } } });
    await expect(library.refunds.create({ payment_intent: snapshot.captureId ?? "", amount: 1_000 })).rejects.toMatchObject({
      statusCode: 400,
    });
  });

  test("accepts what the simulated Stripe signs, and nothing that was changed", async () => {
    const { world, fields, library } = await paidShop();
    const { body, headers } = await stripeSimulator.callbackOf(world, reference);
    const at = Math.floor(world.now().getTime() / 1_000);
    const event = library.webhooks.constructEvent(
      body,
      headers["stripe-signature"] ?? "",
      fields["webhook_secret"] ?? "",
      300,
      undefined,
      at * 1_000,
    );
    expect(event).toMatchObject({ type: "checkout.session.completed", data: { object: { client_reference_id: reference } } });
    expect(() => library.webhooks.constructEvent(`${body} `, headers["stripe-signature"] ?? "", fields["webhook_secret"] ?? "")).toThrow();
  });

  test("signs what the adapter accepts", async () => {
    const { world, fields, account, call, library } = await openShop();
    const payload = JSON.stringify({
      id: "evt_9",
      object: "event",
      type: "customer.created",
      livemode: false,
      created: 1,
      data: { object: {} },
    });
    const timestamp = Math.floor(world.now().getTime() / 1_000);
    const header = library.webhooks.generateTestHeaderString({ payload, secret: fields["webhook_secret"] ?? "", timestamp });
    expect(await account.verify(call, rawCallback(payload, header, world.now()))).toMatchObject({ ok: true, dedupeKey: "evt_9" });
  });
});

describe("the simulated page", () => {
  test("offers what can happen now, applies it, and redirects the buyer", async () => {
    const shop = await openShop();
    const { action } = await shop.account.create(shop.call, payment(shop.world));
    const url = action.type === "redirect" ? action.url : "";
    const page = async () => (await stripeSimulator.handle(shop.world, new Request(url))).text();
    const choose = async (outcome: string) =>
      stripeSimulator.handle(shop.world, new Request(url, { method: "POST", body: new URLSearchParams({ outcome }) }));
    expect(await page()).toContain("<span>€</span>12.34");
    expect((await choose("declined")).headers.get("location")).toBe(url);
    expect(await page()).toContain("insufficient funds");
    expect((await choose("canceled")).headers.get("location")).toBe("https://shop.test/pay/token?canceled=1");
    expect((await choose("dispute_won")).status).toBe(409);
    expect((await choose("paid")).headers.get("location")).toBe("https://shop.test/pay/token");
    expect(await page()).toContain('value="disputed"');
    expect((await choose("paid")).status).toBe(409);
  });
});
