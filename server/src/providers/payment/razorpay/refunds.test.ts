import { describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { razorpaySimulator } from "./simulator.ts";
import { openShop, paying, payingIn, rupees, withFeeOnTop } from "./testing/shop.ts";

const kindOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof GatewayError ? error.kind : String(error)),
  );

describe("refunds and settlements", () => {
  test("find a refund without Razorpay's ids of it and of the payment", async () => {
    const { account, call, key, refund } = await paying("paid");
    const request = refund({ ...key, captureId: null }, { ...rupees, amount_minor: 300 });
    const made = await account.refund(call, request);
    expect(
      await account.queryRefund(call, { ...key, captureId: null, refundReference: request.refundReference, providerRefundId: null }),
    ).toEqual(made);
  });

  test("have the merchant's reason in their notes, which the buyer doesn't see", async () => {
    const { account, call, key, refund } = await paying("paid");
    const sent: unknown[] = [];
    const fetch: typeof call.fetch = (input, init) => {
      if (init?.method === "POST") sent.push(JSON.parse(String(init.body)));
      return call.fetch(input, init);
    };
    await account.refund({ ...call, fetch }, { ...refund({ ...key, captureId: null }, rupees), merchantReason: "fraudulent" });
    expect(sent).toMatchObject([{ notes: { reason: "fraudulent" } }]);
  });

  test("find a refund among more of one payment than Razorpay lists at once", async () => {
    const { account, call, key, query, refund, world } = await paying("paid");
    const { captureId } = await query();
    const requests = Array.from({ length: 101 }, () => refund({ ...key, captureId }, { ...rupees, amount_minor: 100 }));
    for (const one of requests) {
      await account.refund(call, one);
      world.pass(1);
    }
    const refundReference = requests[0]?.refundReference ?? "";
    expect(await account.queryRefund(call, { ...key, captureId, refundReference, providerRefundId: null })).toMatchObject({
      refundReference,
    });
  });

  test("refuse a refund of what was never paid, and another refund under the same reference", async () => {
    const open = await paying();
    expect(await kindOf(open.account.refund(open.call, open.refund({ ...open.key, captureId: null }, rupees)))).toBe("invalid");
    const { account, call, key, refund } = await paying("paid");
    const request = refund({ ...key, captureId: null }, { ...rupees, amount_minor: 300 });
    await account.refund(call, request);
    expect(await kindOf(account.refund(call, { ...request, amount: { ...rupees, amount_minor: 400 } }))).toBe("conflict");
  });

  test("wait while Razorpay makes another refund of the payment", async () => {
    const { account, call, key, query, refund, world } = await paying("paid");
    const { captureId } = await query();
    const [first, second] = [refund({ ...key, captureId }, rupees), refund({ ...key, captureId }, { ...rupees, amount_minor: 300 })];
    await account.refund(call, { ...first, amount: { ...rupees, amount_minor: 400 } });
    await expect(account.refund(call, second)).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 5, isBusy: true });
    world.pass(1);
    expect(await account.refund(call, second)).toMatchObject({ state: "pending", amount: second.amount });
  });

  test("find the refund that a refusal says was made, after Razorpay forgot its idempotency key", async () => {
    const { account, call, key, query, refund, world } = await paying("paid");
    const { captureId } = await query();
    const request = refund({ ...key, captureId }, { ...rupees, amount_minor: 300 });
    const made = await account.refund(call, request);
    world.pass(1);
    const fetch: typeof call.fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("x-refund-idempotency");
      return call.fetch(input, { ...init, headers });
    };
    expect(await kindOf(account.refund({ ...call, fetch }, request))).toBe("conflict");
    const { refundReference } = request;
    expect(await account.queryRefund(call, { ...key, captureId, refundReference, providerRefundId: null })).toEqual(made);
  });

  test("list what was settled in a span of time, oldest first, by our references", async () => {
    const shop = await openShop();
    const paid = await payingIn(shop, ["paid"]);
    const { captureId } = await paid.query();
    shop.world.pass(86_400);
    const later = await payingIn(shop, ["paid"]);
    const request = shop.refund({ ...paid.key, captureId }, { ...rupees, amount_minor: 300 });
    const { providerRefundId } = await shop.account.refund(shop.call, request);
    await razorpaySimulator.simulateRefund(shop.world, { refundReference: request.refundReference, outcome: "succeeded" });
    const settled = (from: string, to: string) => shop.account.listSettled?.(shop.call, { from: new Date(from), to: new Date(to) });
    const [first, second] = [new Date("2026-11-22T06:30:00Z"), new Date("2026-11-23T06:30:00Z")];
    const lines = await settled("2026-11-20T00:00:00Z", "2026-11-24T00:00:00Z");
    const includedFee = { ...rupees, amount_minor: 2_913 };
    const payment = { kind: "payment", providerId: null, amount: rupees, includedFee };
    expect(lines?.at(0)).toEqual({ ...payment, reference: paid.payment.reference, captureId, occurredAt: first });
    const refund = { kind: "refund", reference: request.refundReference, providerId: providerRefundId, captureId, amount: request.amount };
    const other = { ...payment, reference: later.payment.reference, captureId: (await later.query()).captureId };
    expect(lines?.slice(1)).toEqual(
      expect.arrayContaining([
        { ...refund, occurredAt: second },
        { ...other, occurredAt: second },
      ]),
    );
    expect(await settled("2026-11-22T06:30:00Z", "2026-11-23T06:30:00Z")).toHaveLength(1);
    expect(await settled("2026-11-22T06:30:01Z", "2026-11-23T06:30:00Z")).toEqual([]);
  });

  test.each([
    ["a JSON text", JSON.stringify({ payment_reference: "ps_1" }), "ps_1"],
    ["an object", { payment_reference: "ps_1" }, "ps_1"],
    ["an empty JSON text, as Razorpay publishes it", "{}", null],
    ["a text of somebody's own, as Razorpay publishes it", "Beam me up Scotty.", null],
    ["a number as a text", "42", null],
    ["nothing", null, null],
  ])("list a payment whose notes are %s", async (_what, notes, reference) => {
    const shop = await openShop();
    await payingIn(shop, ["paid"]);
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const list = (await (await shop.call.fetch(input, init)).json()) as { items: object[] };
      return Response.json({ ...list, items: list.items.map((item) => ({ ...item, notes })) });
    };
    const span = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-24T00:00:00Z") };
    expect(await shop.account.listSettled?.({ ...shop.call, fetch }, span)).toMatchObject([{ kind: "payment", amount: rupees, reference }]);
  });

  test("find our reference of a listed payment, which the list may leave out", async () => {
    const { account, call, query, payment } = await paying("paid");
    const { captureId } = await query();
    expect(await account.findReference?.(call, captureId ?? "")).toBe(payment.reference);
    expect(await account.findReference?.(call, "pay_00000000000000")).toBeNull();
  });

  test.each([
    ["in an unknown currency", { currency: "XQQ" }],
    ["of more than anyone pays", { amount: 1e15 }],
    ["without a time", { settled_at: null }],
  ])("list what can be read next to a payment %s", async (_what, change) => {
    const shop = await openShop();
    const odd = await payingIn(shop, ["paid"]);
    const good = await payingIn(shop, ["paid"]);
    const { captureId } = await odd.query();
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const list = (await (await shop.call.fetch(input, init)).json()) as { items: { entity_id: string }[] };
      return Response.json({ ...list, items: list.items.map((item) => (item.entity_id === captureId ? { ...item, ...change } : item)) });
    };
    const span = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-24T00:00:00Z") };
    expect(await shop.account.listSettled?.({ ...shop.call, fetch }, span)).toMatchObject([
      { kind: "payment", reference: good.payment.reference, amount: rupees },
      { kind: "unreadable", name: captureId, reference: odd.payment.reference, providerId: null, captureId },
    ]);
  });

  test("list a payment whose buyer paid the fee on top with that fee, as Razorpay does, and say how much it is", async () => {
    const shop = await openShop();
    await withFeeOnTop(shop);
    await payingIn(shop, ["paid"]);
    const span = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-24T00:00:00Z") };
    expect(await shop.account.listSettled?.(shop.call, span)).toMatchObject([
      { kind: "payment", amount: { ...rupees, amount_minor: 126_313 }, includedFee: { ...rupees, amount_minor: 2_913 } },
    ]);
  });
});
