import { describe, expect, test } from "vitest";
import type { GatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { headersOf } from "./simulator/events.ts";
import { razorpaySimulator } from "./simulator.ts";
import { openShop, payingIn, rupees } from "./testing/shop.ts";

describe("callbacks", () => {
  const verdictOf = ({ account, call, world }: GatewayShop, { headers, body }: { headers: Record<string, string>; body: string }) =>
    account.verify(call, received({ url: "https://shop.test/callbacks", headers, body }, world.now()));
  const sentIn = async (shop: GatewayShop) => Promise.all(shop.world.sent.map((callback) => verdictOf(shop, callback)));

  test("of a payment report it when it is paid, and cause a query before that", async () => {
    const shop = await openShop();
    const paid = await payingIn(shop, ["declined", "processing", "paid"]);
    const about = { reference: paid.payment.reference, providerId: null };
    expect(await sentIn(shop)).toMatchObject([
      { ok: true, event: "payment.failed", report: { kind: "ask", about } },
      { ok: true, event: "payment.authorized", report: { kind: "ask", about } },
      { ok: true, event: "payment.captured", report: { kind: "ask", about } },
      {
        ok: true,
        event: "payment_link.paid",
        report: { kind: "payment", payment: { ...(await paid.query()), account: `acc_${shop.fields["merchant_id"]}` } },
      },
    ]);
  });

  test.each([
    ["silent", []],
    [
      "duplicate",
      ["payment.captured", "payment.captured", "payment.captured", "payment_link.paid", "payment_link.paid", "payment_link.paid"],
    ],
    ["out_of_order", ["payment_link.paid", "payment.captured"]],
    ["canceled", ["payment_link.cancelled"]],
    ["expired", ["payment_link.expired"]],
  ] as const)("of a payment that is %s are read as that", async (outcome, events) => {
    const { world } = await payingIn(await openShop(), [outcome]);
    expect(world.sent.map(({ body }) => JSON.parse(body).event)).toEqual(events);
  });

  test.each([
    ["disputed", "payment.dispute.created", "inquiry"],
    ["dispute_won", "payment.dispute.won", "won"],
    ["dispute_lost", "payment.dispute.lost", "lost"],
  ] as const)("of a payment that is %s report the dispute, which only takes money when it is lost", async (outcome, event, state) => {
    const shop = await openShop();
    const paid = await payingIn(shop, ["paid", outcome]);
    const { captureId } = await paid.query();
    const payment = { reference: paid.payment.reference, providerId: null, captureId };
    expect((await sentIn(shop)).at(-1)).toMatchObject({
      ok: true,
      event,
      report: { kind: "dispute", dispute: { payment, state, amount: rupees } },
    });
  });

  test("of a refund by Razorpay of what was never captured cause a query, because nothing was paid", async () => {
    const shop = await openShop();
    const { payment } = await payingIn(shop, ["auto_refunded"]);
    const report = { kind: "ask", about: { reference: payment.reference, providerId: null } };
    expect(await sentIn(shop)).toMatchObject(
      ["payment.authorized", "refund.created", "refund.processed"].map((event) => ({ ok: true, event, report })),
    );
  });

  test("of a refund report it, by our reference of it", async () => {
    const shop = await openShop();
    const paid = await payingIn(shop, ["paid"]);
    const { captureId } = await paid.query();
    const request = shop.refund({ ...paid.key, captureId }, { ...rupees, amount_minor: 300 });
    const { providerRefundId } = await shop.account.refund(shop.call, request);
    for (const outcome of ["succeeded", "failed"] as const)
      await razorpaySimulator.simulateRefund(shop.world, { refundReference: request.refundReference, outcome });
    const refund = { refundReference: request.refundReference, providerRefundId, amount: { ...rupees, amount_minor: 300 } };
    expect((await sentIn(shop)).slice(-3)).toMatchObject(
      ["pending", "succeeded", "failed"].map((state) => ({
        ok: true,
        report: { kind: "refund", payment: { captureId }, refund: { ...refund, state } },
      })),
    );
  });

  test.each<[string, (callback: { headers: Record<string, string>; body: string }) => { headers?: Record<string, string>; body?: string }]>(
    [
      ["with another amount", ({ body }) => ({ body: body.replaceAll("123400", "923400") })],
      ["with the same body, written otherwise", ({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 1) })],
      ["signed with another secret", ({ body }) => ({ headers: headersOf("another", { id: "RyRmcZhmVmQ8gF", body }) })],
      ["without a signature", ({ headers: { "X-Razorpay-Signature": _, ...others } }) => ({ headers: others })],
    ],
  )("%s are refused", async (_what, changeOf) => {
    const shop = await openShop();
    await payingIn(shop, ["paid"]);
    const sent = shop.world.sent.at(-1);
    if (sent === undefined) throw new Error("nothing was sent");
    expect(await verdictOf(shop, sent)).toMatchObject({ ok: true });
    expect(await verdictOf(shop, { ...sent, ...changeOf(sent) })).toEqual({ ok: false, reason: "signature" });
  });

  const event = { account_id: "acc_x", event: "payment_link.paid", payload: {} };
  test.each<[string, object, Record<string, string>, string]>([
    ["without the id of its event", event, { "x-razorpay-event-id": "" }, "malformed"],
    ["with an id that is none", event, { "x-razorpay-event-id": "a b" }, "malformed"],
    ["of another account that has the same secret", event, {}, "unknown_key"],
  ])("%s are refused", async (_what, body, headers, reason) => {
    const shop = await openShop();
    const text = JSON.stringify(body);
    const signed = headersOf(shop.fields["webhook_secret"] ?? "", { id: "RyRmcZhmVmQ8gF", body: text });
    const lower = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    expect(await verdictOf(shop, { headers: { ...lower, ...headers }, body: text })).toEqual({ ok: false, reason });
  });

  test.each([["settlement.processed"], ["payment_link.paid"], ["payment.captured"], ["refund.processed"], ["invoice.paid"]])(
    "of %s without anything of ours change nothing",
    async (type) => {
      const shop = await openShop();
      const body = JSON.stringify({ account_id: `acc_${shop.fields["merchant_id"]}`, event: type, payload: {} });
      const headers = headersOf(shop.fields["webhook_secret"] ?? "", { id: "RyRmcZhmVmQ8gF", body });
      expect(await verdictOf(shop, { headers, body })).toMatchObject({ ok: true, report: { kind: "nothing" } });
    },
  );

  test.each<[string, string, object, object]>([
    [
      "a paid link whose amount cannot be read",
      "payment_link.paid",
      { payment: { status: "captured", amount: 1 }, payment_link: { id: "plink_1", status: "paid" } },
      { kind: "ask", about: { reference: null, providerId: "plink_1" } },
    ],
    [
      "a paid link without its payment",
      "payment_link.paid",
      { payment_link: { id: "plink_1", status: "paid" } },
      { kind: "ask", about: { reference: null, providerId: "plink_1" } },
    ],
    [
      "a refund of an unknown state",
      "refund.processed",
      { refund: { id: "rfnd_1", payment_id: "pay_1", status: "melted" } },
      { kind: "nothing" },
    ],
    ["a dispute without an amount", "payment.dispute.created", { dispute: { id: "disp_1" } }, { kind: "nothing" }],
  ])("of %s are accepted, because refusing them would end all others", async (_what, type, entities, report) => {
    const shop = await openShop();
    const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
    const body = JSON.stringify({ account_id: `acc_${shop.fields["merchant_id"]}`, event: type, payload });
    const headers = headersOf(shop.fields["webhook_secret"] ?? "", { id: "RyRmcZhmVmQ8gF", body });
    expect(await verdictOf(shop, { headers, body })).toMatchObject({ ok: true, report });
  });
});
