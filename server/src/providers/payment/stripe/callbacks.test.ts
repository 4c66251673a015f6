import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { received, type SimulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { openShop, payment, rawCallback, reference } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripe } from "./adapter.ts";
import { stripeSimulator } from "./simulator.ts";
import { disputeOf } from "./wire.ts";

describe("events", () => {
  /** Everything that the simulated Stripe sent, as the account tells it. */
  async function verdictsOf(happen: (shop: Awaited<ReturnType<typeof openShop>>) => Promise<void>) {
    const shop = await openShop();
    await stripeSimulator.enterCallbackUrl?.(shop.world, { account: "shop", url: "https://shop.test/api/payments/stripe/webhook/gc_1" });
    await shop.account.create(shop.call, payment(shop.world));
    await happen(shop);
    const verdicts = [];
    for (const callback of shop.world.sent) {
      expect(callback.url).toBe("https://shop.test/api/payments/stripe/webhook/gc_1");
      const verdict = await shop.account.verify(shop.call, received(callback, shop.world.now()));
      if (!verdict.ok) throw new Error(verdict.reason);
      verdicts.push(verdict);
    }
    return verdicts;
  }
  const simulated = (outcome: Parameters<typeof stripeSimulator.simulate>[1]["outcome"]) => async (shop: { world: SimulatedWorld }) =>
    stripeSimulator.simulate(shop.world, { reference, outcome });

  test("of a paid session report the payment; three deliveries of one event have one key", async () => {
    const verdicts = await verdictsOf(simulated("duplicate"));
    expect(verdicts).toHaveLength(3);
    expect(new Set(verdicts.map(({ dedupeKey }) => dedupeKey)).size).toBe(1);
    expect(verdicts[0]?.report).toMatchObject({
      kind: "payment",
      payment: { reference, state: "succeeded", paid: { amount_minor: 1_234, currency: "EUR" } },
    });
  });

  test("in the wrong order report the success first, then the earlier state", async () => {
    const verdicts = await verdictsOf(simulated("out_of_order"));
    expect(verdicts.map(({ event }) => event)).toEqual(["checkout.session.async_payment_succeeded", "checkout.session.completed"]);
    expect(verdicts.map(({ report }) => report.kind === "payment" && report.payment.state)).toEqual(["succeeded", "processing"]);
  });

  test("of a payment that failed late cause a query, because the session doesn't say so", async () => {
    const verdicts = await verdictsOf(async (shop) => {
      await simulated("processing")(shop);
      await simulated("declined")(shop);
    });
    expect(verdicts.at(-1)).toMatchObject({
      event: "checkout.session.async_payment_failed",
      report: { kind: "ask", about: { reference } },
    });
  });

  test("of an expired session report its end, and a silent payment reports nothing", async () => {
    expect((await verdictsOf(simulated("expired"))).map(({ report }) => report)).toMatchObject([
      { kind: "payment", payment: { state: "expired", paid: null } },
    ]);
    expect(await verdictsOf(simulated("silent"))).toEqual([]);
  });

  test("of a refund report it by our references, and that it failed later", async () => {
    const refundReference = "rf_00000000000000000000000006";
    const verdicts = await verdictsOf(async (shop) => {
      await simulated("silent")(shop);
      const amount = { amount_minor: 300, currency: "EUR" };
      const given = {
        reference,
        providerId: null,
        captureId: null,
        refundReference,
        amount,
        total: amount,
        reason: null,
        notifyUrl: "https://n.test",
      };
      await shop.account.refund(shop.call, given);
      await stripeSimulator.simulateRefund(shop.world, { refundReference, outcome: "failed_later" });
    });
    expect(verdicts.map(({ event, report }) => [event, report])).toMatchObject([
      ["refund.created", { kind: "refund", payment: { reference, providerId: null }, refund: { refundReference, state: "succeeded" } }],
      ["charge.refunded", { kind: "ask", about: { reference } }],
      ["refund.failed", { kind: "refund", refund: { refundReference, state: "failed", failure: { code: "lost_or_stolen_card" } } }],
    ]);
  });

  test.each([
    ["dispute_won", ["opened", "opened", "won", "won"]],
    ["dispute_lost", ["opened", "opened", "lost"]],
  ] as const)("of a dispute report what was taken and what was returned: %s", async (outcome, states) => {
    const verdicts = await verdictsOf(async (shop) => {
      for (const one of ["silent", "disputed", outcome] as const) await simulated(one)(shop);
    });
    expect(verdicts.map(({ report }) => report.kind === "dispute" && report.dispute.state)).toEqual(states);
    expect(verdicts[0]?.report).toMatchObject({
      dispute: {
        payment: { captureId: expect.stringMatching(/^pi_/) },
        amount: { amount_minor: 1_234, currency: "EUR" },
        reason: "product_not_received",
        fee: { amount_minor: 1_500, currency: "EUR" },
      },
    });
  });

  test.each([
    ["warning_needs_response", "inquiry"],
    ["warning_under_review", "inquiry"],
    ["warning_closed", "won"],
    ["needs_response", "opened"],
    ["under_review", "opened"],
    ["appeal_needs_response", "opened"],
    ["appeal_under_review", "opened"],
    ["won", "won"],
    ["lost", "lost"],
    ["prevented", "lost"],
  ])("a dispute that is %s is reported as %s", (status, state) => {
    const dispute = {
      object: "dispute",
      id: "du_1",
      status,
      amount: 500,
      currency: "eur",
      created: 1_700_000_000,
      payment_intent: "pi_1",
      reason: "fraudulent",
    };
    expect(disputeOf(dispute)?.state).toBe(state);
  });

  test.each([
    ["is told once money has moved", [{ fee: 1_500, currency: "eur" }], { amount_minor: 1_500, currency: "EUR" }],
    [
      "is nothing once it was given back",
      [
        { fee: 1_500, currency: "eur" },
        { fee: -1_500, currency: "eur" },
      ],
      null,
    ],
    ["is unknown before money has moved", [], undefined],
    ["is unknown where the transactions are told by their ids", ["txn_1"], undefined],
    [
      "is unknown in two currencies",
      [
        { fee: 1, currency: "eur" },
        { fee: 2, currency: "usd" },
      ],
      undefined,
    ],
  ])("the fee of a dispute %s", (_name, balance_transactions, fee) => {
    const dispute = {
      object: "dispute",
      id: "du_1",
      status: "needs_response",
      amount: 500,
      currency: "eur",
      created: 1_700_000_000,
      payment_intent: "pi_1",
    };
    expect(disputeOf({ ...dispute, balance_transactions })?.fee).toEqual(fee);
  });

  const sealed = (fields: Record<string, string>, event: object, at: Date) => {
    const body = JSON.stringify(event);
    const time = Math.floor(at.getTime() / 1_000);
    const mac = createHmac("sha256", fields["webhook_secret"] ?? "")
      .update(`${time}.${body}`)
      .digest("hex");
    return rawCallback(body, `t=${time},v1=${mac}`, at);
  };
  const eventOf = (over: object, object: object = {}) => ({
    id: "evt_1",
    object: "event",
    type: "checkout.session.completed",
    livemode: false,
    created: 1_700_000_000,
    data: {
      object: {
        object: "checkout.session",
        id: "cs_test_1",
        status: "complete",
        payment_status: "paid",
        amount_total: 1,
        currency: "eur",
        ...object,
      },
    },
    ...over,
  });

  const ours = { client_reference_id: reference, metadata: { tillpost_reference: reference } };

  test.each([
    [
      "of ours is told as its payment",
      eventOf({}, ours),
      { ok: true, report: { kind: "payment", payment: { reference, state: "succeeded" } } },
    ],
    ["of the other environment is refused", eventOf({ livemode: true }), { ok: false, reason: "unsupported" }],
    [
      "of a session that others made in the same account is nothing to us",
      eventOf({}, { client_reference_id: reference }),
      { ok: true, report: { kind: "nothing" } },
    ],
    [
      "of an account connected to this one is nothing to us",
      eventOf({ account: "acct_2" }, ours),
      { ok: true, report: { kind: "nothing" } },
    ],
    ["of a kind that we don't know is nothing to us", eventOf({ type: "customer.created" }), { ok: true, report: { kind: "nothing" } }],
    ["that is none is refused", { id: "evt_1" }, { ok: false, reason: "malformed" }],
  ])("a signed event %s", async (_name, event, verdict) => {
    const { account, call, fields, world } = await openShop();
    expect(await account.verify(call, sealed(fields, event, world.now()))).toMatchObject(verdict);
  });

  test("a session in a state that Stripe's documents don't list causes a query", async () => {
    const { account, call, fields, world } = await openShop();
    const paused = { ...ours, status: "paused" };
    expect(await account.verify(call, sealed(fields, eventOf({}, paused), world.now()))).toMatchObject({
      report: { kind: "ask", about: { reference, providerId: "cs_test_1" } },
    });
  });

  test("aren't accepted while no signing secret is entered", async () => {
    const { call, fields, world } = await openShop();
    const account = stripe.open({ secret_key: fields["secret_key"] ?? "" }, { livemode: false });
    expect(await account.verify(call, sealed(fields, eventOf({}), world.now()))).toEqual({ ok: false, reason: "unknown_key" });
  });
});
