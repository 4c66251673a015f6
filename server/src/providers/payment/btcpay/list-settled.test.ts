import { beforeEach, describe, expect, test } from "vitest";
import type { GatewayAccount, GatewayCall } from "#gateways/index.ts";
import { type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { btcpay } from "./adapter.ts";
import { type SimulatedInvoice, type SimulatedPullPayment, saveInvoice } from "./simulator/store.ts";
import { btcpaySimulator as simulator } from "./simulator.ts";

const day = 86_400;
const eur = (amount_minor: number) => ({ amount_minor, currency: "EUR" });

let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;
let requests: string[];
beforeEach(async () => {
  world = simulatedWorld();
  account = btcpay.open(await simulator.openAccount(world, "shop"), { livemode: false });
  requests = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${new URL(request.url).pathname.replace(/\/[A-Za-z0-9]{20,}/g, "/…")}`);
    return simulator.handle(world, request);
  };
  call = { ...world.call(simulator), fetch };
});

let made = 0;
const nextReference = (prefix: "ps" | "rf") => `${prefix}_${String((made += 1)).padStart(26, "0")}`;

async function opened(reference = nextReference("ps")): Promise<{ reference: string; providerId: string | null }> {
  const { providerId } = await account.create(call, {
    ...{ reference, amount: eur(1_234), title: "Tea", metadata: {} },
    ...{ notifyUrl: "https://shop.test/hook", returnUrl: "https://shop.test/back", cancelUrl: "https://shop.test/back" },
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
  });
  return { reference, providerId };
}

const happen = (reference: string, outcome: "paid" | "late" | "underpaid" | "overpaid" | "processing") =>
  simulator.simulate(world, { reference, outcome });

/** The list of the last day. */
function listed(given: GatewayCall = call) {
  const to = world.now();
  return account.listSettled?.(given, { from: new Date(to.getTime() - day * 1_000), to });
}

describe("the list of a day", () => {
  test("has what is paid on invoices of the last 32 days, without a request for each, and nothing that isn't paid", async () => {
    const paid = await opened();
    await happen(paid.reference, "paid");
    await opened();
    await happen((await opened()).reference, "processing");
    world.pass(day / 2);
    requests.length = 0;
    const line = { kind: "payment", ...paid, captureId: null, amount: eur(1_234) };
    expect(await listed()).toMatchObject([line]);
    expect(requests.map((one) => one.split("/").at(-1))).toEqual(["invoices", "pull-payments"]);
    world.pass(30 * day);
    expect(await listed()).toMatchObject([line]);
    world.pass(4 * day);
    expect(await listed()).toEqual([]);
  });

  test("has late and excess money by the payments of its invoice, and no part that isn't enough", async () => {
    const [late, over, under] = [await opened(), await opened(), await opened()];
    await happen(over.reference, "overpaid");
    await happen(under.reference, "underpaid");
    world.pass(2 * 3_600);
    await happen(late.reference, "late");
    world.pass(day / 2);
    const lines = (await listed()) ?? [];
    for (const { reference, providerId } of [late, over]) {
      const { paid } = await account.query(call, { reference, providerId });
      expect(lines).toContainEqual(expect.objectContaining({ kind: "payment", reference, amount: paid }));
    }
    expect(lines).toHaveLength(2);
  });

  test("leaves out invoices of other programs, also those that it can't read", async () => {
    const [first] = await Promise.all([opened()]);
    await happen(first?.reference ?? "", "paid");
    const [invoice] = await world.documents.list<SimulatedInvoice>("invoice");
    if (invoice === undefined) throw new Error("no invoice");
    await saveInvoice(world, { ...invoice, id: "theirs", metadata: { orderId: "order-17" } });
    await saveInvoice(world, { ...invoice, id: "coins", currency: "BTC", metadata: { orderId: "order-18" } });
    world.pass(day / 2);
    expect(await listed()).toMatchObject([{ reference: first?.reference }]);
  });

  test("is read page by page", async () => {
    const first = await opened();
    await happen(first.reference, "paid");
    const [invoice] = await world.documents.list<SimulatedInvoice>("invoice");
    if (invoice === undefined) throw new Error("no invoice");
    for (let at = 0; at < 500; at += 1)
      await saveInvoice(world, { ...invoice, id: `other${at}`, status: "Expired", payments: [], metadata: { orderId: `order-${at}` } });
    world.pass(day / 2);
    requests.length = 0;
    expect(await listed()).toMatchObject([{ reference: first.reference }]);
    expect(requests.filter((one) => one.endsWith("/invoices"))).toHaveLength(2);
  });

  test("has a refund once its buyer claimed it, a part of it once the merchant ended it, and one made by hand", async () => {
    const key = await opened();
    await happen(key.reference, "paid");
    const refund = (refundReference: string, amount_minor: number) =>
      account.refund(call, {
        ...{ ...key, captureId: null, refundReference, amount: eur(amount_minor), total: eur(1_234) },
        ...{ reason: null, notifyUrl: "https://shop.test/n" },
      });
    const [claimed, open, ended] = [nextReference("rf"), nextReference("rf"), nextReference("rf")];
    for (const reference of [claimed, open, ended]) await refund(reference, 300);
    await simulator.simulateRefund(world, { refundReference: claimed, outcome: "succeeded" });
    await simulator.simulateRefund(world, { refundReference: ended, outcome: "failed" });
    const pullPayments = await world.documents.list<SimulatedPullPayment>("pullPayment");
    const byHand = pullPayments.find(({ name }) => name === claimed);
    if (byHand === undefined) throw new Error("no refund");
    await world.documents.put("pullPayment", "byHand", { ...byHand, id: "byHand", name: `Refund ${key.providerId}` });
    await world.documents.put("pullPayment", "coins", { ...byHand, id: "coins", name: `Refund ${key.providerId}`, currency: "BTC" });
    world.pass(day / 2);
    const refunds = ((await listed()) ?? []).filter(({ kind }) => kind === "refund");
    expect(refunds).toMatchObject([
      { reference: null, captureId: key.providerId, providerId: "byHand", amount: eur(300) },
      { reference: claimed, captureId: null, amount: eur(300) },
    ]);
  });

  test("stops with an error instead of omitting something if there is too much to read", async () => {
    const invoice = { id: "x", status: "New", amount: "1.00", currency: "EUR", metadata: { orderId: "order-1" } };
    let asked = 0;
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1;
      return Response.json(Array.from({ length: 500 }, () => invoice));
    };
    await expect(listed({ ...call, fetch })).rejects.toMatchObject({ kind: "unavailable", code: "too_many_lines" });
    expect(asked).toBe(40);
  });
});
