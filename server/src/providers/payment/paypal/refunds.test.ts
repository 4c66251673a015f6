import { describe, expect, test } from "vitest";
import { type GatewayAmount, GatewayError, type SimulatedOutcome } from "#gateways/index.ts";
import { newReference, openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { paypal } from "./adapter.ts";
import { headersOf } from "./simulator/events.ts";
import { paypalSimulator } from "./simulator.ts";

const euros: GatewayAmount = { amount_minor: 1_234, currency: "EUR" };

async function paid(...happened: SimulatedOutcome[]) {
  const shop = await openGatewayShop(paypal, paypalSimulator);
  const payment = shop.payment(euros);
  const { reference } = payment;
  const { providerId } = await shop.account.create(shop.call, payment);
  const happen = (outcome: SimulatedOutcome) => paypalSimulator.simulate(shop.world, { reference, outcome });
  for (const outcome of happened) await happen(outcome);
  const snapshot = await shop.account.capture?.(shop.call, { reference, providerId });
  const key = { reference, providerId, captureId: snapshot?.captureId ?? null };
  const verdictOf = async () => {
    const callback = shop.world.sent.at(-1);
    if (callback === undefined) throw new Error("nothing was sent");
    return shop.account.verify(shop.call, received(callback, shop.world.now()));
  };
  return { ...shop, key, happen, verdictOf };
}
const kindOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof GatewayError ? error.kind : String(error)),
  );

describe("a refund", () => {
  test("is found by the order, without PayPal's ids of it and of the capture", async () => {
    const { account, call, key, refund } = await paid("paid");
    const made = await account.refund(call, refund({ ...key, captureId: null }, euros));
    const found = await account.queryRefund(call, {
      ...key,
      captureId: null,
      refundReference: made.refundReference ?? "",
      providerRefundId: null,
    });
    expect(found).toEqual(made);
    const byCapture = await account.queryRefund(call, {
      ...key,
      providerId: null,
      refundReference: made.refundReference ?? "",
      providerRefundId: null,
    });
    expect(byCapture).toEqual(made);
  });

  test("has its reference as the id of its request", async () => {
    const { account, call, key, refund } = await paid("paid");
    const ids: (string | null)[] = [];
    const fetch: typeof call.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith("/refund")) ids.push(request.headers.get("paypal-request-id"));
      return call.fetch(request);
    };
    const wanted = refund(key, euros);
    await account.refund({ ...call, fetch }, wanted);
    expect(ids).toEqual([wanted.refundReference]);
  });

  test("requested again after PayPal forgot its request is the same refund", async () => {
    const { account, call, key, refund, world } = await paid("paid");
    const request = refund(key, { ...euros, amount_minor: 200 });
    const made = await account.refund(call, request);
    world.pass(46 * 86_400);
    expect(await account.refund(call, request)).toEqual(made);
    expect((await account.query(call, key)).refunded).toEqual({ ...euros, amount_minor: 200 });
  });

  test("of money that arrived by bank transfer waits", async () => {
    const { account, call, key, refund, happen, world } = await paid("processing");
    expect(await kindOf(account.refund(call, refund(key, euros)))).toBe("declined");
    await happen("paid");
    const request = refund(key, euros);
    const made = await account.refund(call, request);
    expect(made).toMatchObject({ state: "pending", providerState: "PENDING ECHECK" });
    await paypalSimulator.simulateRefund(world, { refundReference: request.refundReference, outcome: "succeeded" });
    expect(
      await account.queryRefund(call, { ...key, refundReference: request.refundReference, providerRefundId: made.providerRefundId }),
    ).toMatchObject({
      state: "succeeded",
    });
  });

  test("is declined after half a year", async () => {
    const { account, call, key, refund, world } = await paid("paid");
    world.pass(181 * 86_400);
    expect(await kindOf(account.refund(call, refund(key, euros)))).toBe("declined");
  });

  test("of a payment that took nothing is refused before PayPal is contacted", async () => {
    const { account, call, key, refund, requests } = await paid();
    expect(await kindOf(account.refund(call, refund({ ...key, captureId: null }, euros)))).toBe("invalid");
    expect(requests.filter((line) => line.endsWith("/refund"))).toEqual([]);
    const unknown = { ...key, providerId: null, captureId: null, refundReference: newReference("rf"), providerRefundId: null };
    expect(await kindOf(account.queryRefund(call, unknown))).toBe("not_found");
  });
});

describe("an event", () => {
  test("of an approval causes a query about the order, and so does one of a capture", async () => {
    const { world, account, call, key } = await paid("paid");
    const verdicts = await Promise.all(world.sent.map((callback) => account.verify(call, received(callback, world.now()))));
    const about = { reference: key.reference, providerId: key.providerId };
    expect(verdicts).toEqual([
      { ok: true, dedupeKey: expect.stringMatching(/^WH-/), event: "CHECKOUT.ORDER.APPROVED", report: { kind: "ask", about } },
      { ok: true, dedupeKey: expect.stringMatching(/^WH-/), event: "PAYMENT.CAPTURE.COMPLETED", report: { kind: "ask", about } },
    ]);
    for (const callback of world.sent)
      expect(paypal.hint(received(callback, world.now()))).toEqual({ account: null, keyId: null, ...about });
  });

  test.each([
    ["silent", []],
    ["duplicate", ["APPROVED", "APPROVED", "APPROVED", "COMPLETED", "COMPLETED", "COMPLETED"]],
    ["out_of_order", ["COMPLETED", "APPROVED"]],
  ] as const)("of a payment that is paid %s is read as that", async (outcome, events) => {
    const { world } = await paid(outcome);
    expect(world.sent.map(({ body }) => JSON.parse(body).event_type.split(".").at(-1))).toEqual(events);
  });

  test("of a refund reports PayPal's current response, not the event's content", async () => {
    const { world, account, call, key, refund, fields } = await paid("paid");
    const request = refund(key, { ...euros, amount_minor: 200 });
    const made = await account.refund(call, request);
    const sent = world.sent.at(-1);
    const lie = (sent?.body ?? "").replace('"value":"2.00"', '"value":"12.00"');
    expect(lie).not.toBe(sent?.body);
    const headers = await headersOf(world, fields["webhook_id"] ?? "", lie);
    const verdict = await account.verify(call, received({ url: sent?.url ?? "", headers, body: lie }, world.now()));
    expect(verdict).toMatchObject({ ok: true, report: { kind: "refund", payment: { captureId: key.captureId }, refund: made } });
    expect(paypal.hint(received({ url: sent?.url ?? "", headers, body: lie }, world.now()))?.reference).toBe(key.reference);
  });

  test.each([
    ["disputed", "CUSTOMER.DISPUTE.CREATED", "opened"],
    ["dispute_won", "CUSTOMER.DISPUTE.RESOLVED", "won"],
    ["dispute_lost", "CUSTOMER.DISPUTE.RESOLVED", "lost"],
  ] as const)("of a payment that is %s reports the dispute", async (outcome, event, state) => {
    const { key, happen, verdictOf } = await paid("paid");
    await happen(outcome);
    const payment = { reference: key.reference, providerId: null, captureId: key.captureId };
    expect(await verdictOf()).toMatchObject({ ok: true, event, report: { kind: "dispute", dispute: { payment, state, amount: euros } } });
  });

  const resolved = (stage: string, outcome_code: string, value?: string) => ({
    status: "RESOLVED",
    dispute_life_cycle_stage: stage,
    dispute_outcome: { outcome_code, ...(value === undefined ? {} : { amount_refunded: { currency_code: "EUR", value } }) },
  });

  test.each<[string, object, string, number]>([
    ["that the buyer won", resolved("CHARGEBACK", "RESOLVED_BUYER_FAVOUR", "12.34"), "lost", 1_234],
    ["that was settled with a part", resolved("CHARGEBACK", "RESOLVED_BUYER_FAVOUR", "3.00"), "lost", 300],
    ["whose refund PayPal doesn't tell", resolved("CHARGEBACK", "RESOLVED_BUYER_FAVOUR"), "lost", 1_234],
    ["of which nothing was refunded", resolved("CHARGEBACK", "RESOLVED_BUYER_FAVOUR", "0.00"), "won", 1_234],
    ["without an outcome", resolved("CHARGEBACK", "NONE"), "won", 1_234],
    ["that ended with a refund before it was escalated", resolved("INQUIRY", "RESOLVED_BUYER_FAVOUR", "12.34"), "won", 1_234],
  ])("of a dispute %s reports what it took", async (_what, change, state, amount_minor) => {
    const { world, account, call, happen } = await paid("paid");
    await happen("dispute_lost");
    const fetch: typeof call.fetch = async (input, init) => {
      const answer = await call.fetch(input, init);
      return String(input).includes("/disputes/") ? Response.json({ ...((await answer.json()) as object), ...change }) : answer;
    };
    const callback = world.sent.at(-1);
    if (callback === undefined) throw new Error("nothing was sent");
    const verdict = await account.verify({ ...call, fetch }, received(callback, world.now()));
    expect(verdict).toMatchObject({ report: { kind: "dispute", dispute: { state, amount: { ...euros, amount_minor } } } });
    // PayPal counts what the merchant refunded since the case was opened.
    const counted = state === "lost" && JSON.stringify(change).includes("amount_refunded") ? world.now() : undefined;
    expect(verdict.ok && verdict.report.kind === "dispute" ? verdict.report.dispute.refundedSince : null).toEqual(counted);
  });

  test("of a dispute is accepted if the app may not read disputes", async () => {
    const { world, account, call, happen } = await paid("paid");
    await happen("disputed");
    const fetch: typeof call.fetch = async (input, init) =>
      String(input).includes("/disputes/") ? Response.json({ name: "NOT_AUTHORIZED" }, { status: 403 }) : call.fetch(input, init);
    const callback = world.sent.at(-1);
    if (callback === undefined) throw new Error("nothing was sent");
    expect(await account.verify({ ...call, fetch }, received(callback, world.now()))).toMatchObject({
      report: { kind: "dispute", dispute: { state: "opened" } },
    });
  });

  test.each([
    ["of another kind", { event_type: "BILLING.PLAN.CREATED", resource: { id: "P-1" } }],
    ["of the first version of the API", { event_type: "PAYMENT.SALE.COMPLETED", resource: { id: "8AC", custom_id: "x" } }],
    ["of an order that carries no reference", { event_type: "PAYMENT.CAPTURE.COMPLETED", resource: { id: "8AC" } }],
    ["of a refund that PayPal does not know", refunded("https://api.sandbox.paypal.com/v2/payments/captures/3C679366HH908993F")],
    ["of a refund of something else", refunded("https://api.sandbox.paypal.com/v1/payments/sale/3C679366HH908993F")],
    ["of a dispute that PayPal does not know", { event_type: "CUSTOMER.DISPUTE.CREATED", resource: { dispute_id: "PP-D-1" } }],
  ])("%s is accepted and changes nothing", async (_what, event) => {
    const { world, account, call, fields } = await openGatewayShop(paypal, paypalSimulator);
    const body = JSON.stringify({ id: "WH-1", ...event });
    const headers = await headersOf(world, fields["webhook_id"] ?? "", body);
    const verdict = await account.verify(call, received({ url: "https://shop.test/callbacks", headers, body }, world.now()));
    expect(verdict).toEqual({ ok: true, dedupeKey: "WH-1", event: event.event_type, report: { kind: "nothing" } });
  });
});

function refunded(href: string) {
  return { event_type: "PAYMENT.CAPTURE.REFUNDED", resource: { id: "1JU08902781691411", links: [{ rel: "up", href }] } };
}
