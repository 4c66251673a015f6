import { describe, expect, test } from "vitest";
import { type GatewayAmount, type GatewayCall, GatewayError, type SimulatedOutcome } from "#gateways/index.ts";
import { openGatewayShop } from "#test/support/gateways/contract/provider-shop.ts";
import { paypal } from "./adapter.ts";
import { paypalSimulator } from "./simulator.ts";

const euros: GatewayAmount = { amount_minor: 1_234, currency: "EUR" };
const day = (world: { now(): Date }) => ({
  from: new Date(world.now().getTime() - 86_400_000),
  to: new Date(world.now().getTime() + 1_000),
});

async function open() {
  const shop = await openGatewayShop(paypal, paypalSimulator);
  return {
    ...shop,
    async paid(outcome: SimulatedOutcome = "paid", amount = euros) {
      const payment = shop.payment(amount);
      const { reference } = payment;
      const { providerId } = await shop.account.create(shop.call, payment);
      await paypalSimulator.simulate(shop.world, { reference, outcome });
      const snapshot = await shop.account.capture?.(shop.call, { reference, providerId });
      return { reference, providerId, captureId: snapshot?.captureId ?? null };
    },
    list: (given: GatewayCall = shop.call) => shop.account.listSettled?.(given, day(shop.world)),
  };
}

describe("what PayPal settled", () => {
  test("is reported with our references: what was received, and what was refunded", async () => {
    const shop = await open();
    const key = await shop.paid();
    const occurredAt = shop.world.now();
    shop.world.pass(60);
    const refund = shop.refund(key, { ...euros, amount_minor: 200 });
    const made = await shop.account.refund(shop.call, refund);
    expect(await shop.list()).toEqual([
      { kind: "payment", reference: key.reference, providerId: null, captureId: key.captureId, amount: euros, occurredAt },
      {
        kind: "refund",
        reference: refund.refundReference,
        providerId: made.providerRefundId,
        captureId: key.captureId,
        amount: { ...euros, amount_minor: 200 },
        occurredAt: shop.world.now(),
      },
    ]);
  });

  test.each([
    ["in an unknown currency", { transaction_amount: { value: "12.34", currency_code: "XQQ" } }],
    ["without an amount", { transaction_amount: null }],
    ["without a time", { transaction_initiation_date: "some day" }],
  ])("includes what can be read next to a payment %s, and names that", async (_what, change) => {
    const shop = await open();
    const odd = await shop.paid();
    const good = await shop.paid();
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const answer = await shop.call.fetch(input, init);
      if (!String(input instanceof Request ? input.url : input).includes("/v1/reporting/")) return answer;
      const list = (await answer.json()) as { transaction_details: { transaction_info: { transaction_id: string } }[] };
      const transaction_details = list.transaction_details.map(({ transaction_info: info }) => ({
        transaction_info: info.transaction_id === odd.captureId ? { ...info, ...change } : info,
      }));
      return Response.json({ ...list, transaction_details });
    };
    expect(await shop.list({ ...shop.call, fetch })).toMatchObject([
      { kind: "payment", reference: good.reference, amount: euros },
      { kind: "unreadable", name: odd.captureId, reference: odd.reference, providerId: null, captureId: odd.captureId },
    ]);
  });

  test("omits what is pending, and other days", async () => {
    const shop = await open();
    await shop.paid("processing");
    expect(await shop.list()).toEqual([]);
    await shop.paid();
    shop.world.pass(2 * 86_400);
    expect(await shop.list()).toEqual([]);
  });

  test("is read in pages, and in halves of a span if there is too much", async () => {
    const shop = await open();
    for (let at = 0; at < 3; at += 1) {
      await shop.paid();
      shop.world.pass(3_600);
    }
    const queries: string[] = [];
    let refused = 0;
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/v1/reporting/transactions") return shop.call.fetch(request);
      queries.push(`${searchParams.get("start_date")} ${searchParams.get("end_date")} ${searchParams.get("page")}`);
      if ((refused += 1) === 1) return Response.json({ name: "RESULTSET_TOO_LARGE" }, { status: 400 });
      // Pages of one line each.
      searchParams.set("page_size", "1");
      return shop.call.fetch(new Request(`${shop.world.origin}${pathname}?${searchParams}`, { headers: request.headers }));
    };
    const lines = await shop.list({ ...shop.call, fetch });
    expect(lines).toHaveLength(3);
    expect(new Set(lines?.map(({ reference }) => reference)).size).toBe(3);
    expect(new Set(queries).size).toBe(queries.length);
    expect(queries.length).toBeGreaterThan(4);
  });

  test.each([
    ["the number of pages", "total_pages"],
    ["the transactions", "transaction_details"],
  ])("isn't read from a response without %s, because the list may go on", async (_what, name) => {
    const shop = await open();
    await shop.paid();
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const answer = await shop.call.fetch(input, init);
      if (!String(input instanceof Request ? input.url : input).includes("/v1/reporting/")) return answer;
      return Response.json({ ...((await answer.json()) as object), [name]: undefined });
    };
    await expect(shop.list({ ...shop.call, fetch })).rejects.toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  });

  test("can't be requested by an app that may not search, which says nothing about its credentials", async () => {
    const shop = await open();
    const fetch: typeof shop.call.fetch = async (input, init) =>
      String(input instanceof Request ? input.url : input).includes("/v1/reporting/")
        ? Response.json({ name: "NOT_AUTHORIZED", message: "Authorization failed due to insufficient permissions." }, { status: 403 })
        : shop.call.fetch(input, init);
    const error = await shop.list({ ...shop.call, fetch })?.catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      kind: "invalid",
      code: "transaction_search_off",
      message: expect.stringContaining("Transaction Search"),
    });
  });
});
