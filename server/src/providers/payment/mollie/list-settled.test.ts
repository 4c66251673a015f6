import { beforeEach, describe, expect, test } from "vitest";
import { eur, type MollieShop, openShop, payment } from "#test/support/gateways/simulated/mollie-shop.ts";
import { mollieSimulator } from "./simulator.ts";

const day = 86_400;
let shop: MollieShop;
beforeEach(async () => {
  shop = await openShop();
});

let made = 0;
async function opened(): Promise<{ reference: string; providerId: string | null }> {
  const reference = `ps_${String((made += 1)).padStart(26, "0")}`;
  const { providerId } = await shop.account.create(shop.call, payment(shop.world, { reference }));
  return { reference, providerId };
}

async function pay(reference: string): Promise<void> {
  await mollieSimulator.simulate(shop.world, { reference, outcome: "paid" });
}

/** The list of the last so many seconds. */
function listed(seconds: number) {
  const to = shop.world.now();
  return shop.account.listSettled?.(shop.call, { from: new Date(to.getTime() - seconds * 1_000), to });
}

async function refunded(key: { reference: string; providerId: string | null }, refundReference: string) {
  const about = { ...key, captureId: null, refundReference, reason: null, notifyUrl: "https://shop.test/n" };
  return shop.account.refund(shop.call, { ...about, amount: eur(300), total: eur(1_234) });
}

describe("the list of a day", () => {
  test("has what was paid on it, whenever it was created, and nothing that is open, failed or paid on another day", async () => {
    const slow = await opened();
    await mollieSimulator.simulate(shop.world, { reference: slow.reference, outcome: "processing" });
    const before = await opened();
    await pay(before.reference);
    shop.world.pass(12 * day);
    const quick = await opened();
    await pay(slow.reference);
    shop.world.pass(60);
    await pay(quick.reference);
    const failed = await opened();
    await mollieSimulator.simulate(shop.world, { reference: failed.reference, outcome: "declined" });
    await opened();
    shop.world.pass(day / 2);
    const lines = await listed(day);
    expect(lines).toHaveLength(2);
    expect(lines).toMatchObject(
      [slow, quick].map(({ reference, providerId }) => ({ kind: "payment", reference, providerId, captureId: null, amount: eur(1_234) })),
    );
    shop.world.pass(day);
    expect(await listed(day)).toEqual([]);
  });

  test("has a refund from when it was paid out, for two weeks, and never one that failed", async () => {
    const refundReference = "rf_00000000000000000000000001";
    const key = await opened();
    await pay(key.reference);
    const { providerRefundId } = await refunded(key, refundReference);
    const other = await opened();
    await pay(other.reference);
    await refunded(other, "rf_00000000000000000000000002");
    await mollieSimulator.simulateRefund(shop.world, { refundReference: "rf_00000000000000000000000002", outcome: "failed" });
    shop.world.pass(2 * day);
    expect(await listed(day)).toEqual([]);
    await mollieSimulator.simulateRefund(shop.world, { refundReference, outcome: "succeeded" });
    const line = { kind: "refund", reference: refundReference, providerId: providerRefundId, captureId: key.providerId, amount: eur(300) };
    expect(await listed(day)).toMatchObject([line]);
    shop.world.pass(12 * day);
    expect(await listed(day)).toMatchObject([line]);
    shop.world.pass(2 * day);
    expect(await listed(day)).toEqual([]);
  });

  test("is read page by page, and no further back than a payment of the day can have been created", async () => {
    const first = await opened();
    await pay(first.reference);
    for (let count = 0; count < 250; count += 1) await opened();
    shop.world.pass(day / 2);
    shop.requests.length = 0;
    expect(await listed(day)).toMatchObject([{ reference: first.reference }]);
    expect(shop.requests.map(({ path }) => path.replace(/from=tr_\w+/, "from=…"))).toEqual([
      "/v2/payments?limit=250",
      "/v2/payments?limit=250&from=…",
      "/v2/refunds?limit=250",
    ]);
    shop.world.pass(20 * day);
    for (let count = 0; count < 2; count += 1) await opened();
    shop.requests.length = 0;
    expect(await listed(day)).toEqual([]);
    expect(shop.requests.filter(({ path }) => path.startsWith("/v2/payments"))).toHaveLength(1);
  });

  test("stops with an error instead of omitting something if there is too much to read", async () => {
    const payments = Array.from({ length: 250 }, (_, at) => ({
      resource: "payment",
      id: `tr_${at}`,
      createdAt: shop.world.now().toISOString(),
    }));
    const _links = { next: { href: "https://api.mollie.com/v2/payments?from=tr_1&limit=250" } };
    let asked = 0;
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1;
      return Response.json({ count: 250, _embedded: { payments }, _links });
    };
    const to = shop.world.now();
    const list = shop.account.listSettled?.({ ...shop.call, fetch }, { from: new Date(to.getTime() - day * 1_000), to });
    await expect(list).rejects.toMatchObject({ kind: "unavailable", code: "too_many_lines" });
    expect(asked).toBe(100);
  });

  test("names a payment that says it was paid but not when", async () => {
    const key = await opened();
    await pay(key.reference);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const text = await (await shop.call.fetch(input, init)).text();
      return new Response(text.replace('"paidAt"', '"paid"'), { headers: { "content-type": "application/hal+json" } });
    };
    shop.world.pass(day / 2);
    const to = shop.world.now();
    const list = shop.account.listSettled?.({ ...shop.call, fetch }, { from: new Date(to.getTime() - day * 1_000), to });
    expect(await list).toEqual([{ kind: "unreadable", name: key.providerId, ...key, captureId: null }]);
  });
});
